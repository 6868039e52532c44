/**
 * The versions of all domains as one column, `versions`: an object, so that no question of its own is needed for them. The
 * versions of all lanes are named, not their sum: a replica may show the commits of two lanes in another order.
 */
export const versionsColumn = `(select coalesce(json_object_agg(domain, version), '{}') from (
  select domain, string_agg(lane || ':' || version, ' ' order by lane) as version from domain_versions group by domain
) as counted) as versions`;
