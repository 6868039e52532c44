/** The name that a task gave an entity. */
export interface GivenName {
  id: string;
  createdAt: number;
  value: string;
}

/** The name that the newest task gives; the last of these where one has given several. */
export function newestName(names: readonly GivenName[], otherwise: GivenName): GivenName {
  const [first = otherwise, ...others] = names;
  return others.reduce(
    (newest, one) =>
      one.createdAt > newest.createdAt || (one.createdAt === newest.createdAt && one.id >= newest.id) ? one : newest,
    first,
  );
}
