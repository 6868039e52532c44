import { linkPages } from "../../pages/link-pages";
import type { Endpoint } from "../endpoint";

/** Where the pages are that one-time links lead to. */
export const linkPageEndpoints: readonly Endpoint[] = linkPages.map(({ path, name, body, headers }) => ({
  path,
  methods: { GET: { name, answer: () => ({ status: 200, headers, body }) } },
}));
