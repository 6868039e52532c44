/** The versions of all domains as one column, `versions`: an object, so that no question of its own is needed for them. */
export const versionsColumn =
  "(select coalesce(json_object_agg(domain, version), '{}') from domain_versions) as versions";
