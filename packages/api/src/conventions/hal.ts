import { z } from "zod";

/** A HAL link. `href` is a path below the base URL, never an absolute address. */
export const link = z.object({
  href: z.string().describe("Path and query below the base URL."),
  templated: z.boolean().describe("Whether `href` is a URI template."),
  type: z.string().describe("HTTP method, lower case."),
});

export type Link = z.infer<typeof link>;

export type Links = Record<string, Link>;

/** A link to read something. */
export function getLink(href: string): Link {
  return { href, templated: false, type: "get" };
}

/** Adds `_self` beside `self` and so on, for clients of this API family that read those names. */
export function withUnderscoreNames<Named extends Links>(links: Named): Named {
  const names = Object.entries(links).map(([name, target]): [string, Link] => [`_${name}`, target]);
  return { ...links, ...Object.fromEntries(names) };
}

/** The links that every item has. */
export const itemLinks = z.looseObject({ self: link }).describe("Links of the item.");
