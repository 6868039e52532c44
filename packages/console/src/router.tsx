import { viewPages } from "@holdfast/api/resources/view-pages";
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from "@tanstack/react-router";
import { basePath } from "./data/page-facts";
import { queryClient } from "./data/query-client";
import { parseSearch, pickTexts, stringifySearch } from "./data/search-params";
import { sessionQuery } from "./data/session";
import { load } from "./data/stale-bundle";
import { type PageDescription, pages } from "./pages/pages";
import { BrokenPage, NoSuchPage } from "./shell/broken-page";
import { Shell } from "./shell/shell";

/** Parameters of the address of every page. */
interface RootSearch {
  unit?: string;
}

const rootRoute = createRootRoute({
  validateSearch: (search: Record<string, unknown>): RootSearch => pickTexts(search, ["unit"]),
  search: { middlewares: [retainSearchParams(["unit"])] },
  component: Outlet,
  errorComponent: BrokenPage,
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>) => pickTexts(search, ["return_to", "error"]),
  component: lazyRouteComponent(() => load(import("./pages/sign-in/sign-in-page")), "SignInPage"),
});

/** Everything that needs a session. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session) return;
    const returnTo = `${basePath}/console${location.href}`;
    throw redirect({ to: "/sign-in", search: location.href === "/" ? {} : { return_to: returnTo }, replace: true });
  },
});

/** The routes of the pages that the shell is around. What their addresses say besides is taken out. */
function routeTo(path: string, search: readonly string[], component: PageDescription["component"] | typeof NoSuchPage) {
  return createRoute({
    getParentRoute: () => shellRoute,
    path,
    validateSearch: (given: Record<string, unknown>) => pickTexts(given, search),
    component,
  });
}

const routes = pages.flatMap(({ path, views, search = [], component, item }) => [
  routeTo(path, [...(views ? viewPages[views].names : []), ...search], component),
  ...(item ? [routeTo(`${path}/$id`, item.search ?? [], item.component)] : []),
]);
const noSuchRoute = routeTo("$", [], NoSuchPage);
const accountRoute = routeTo(
  "/account/$part",
  [],
  lazyRouteComponent(() => load(import("./pages/account/account-page")), "AccountPage"),
);

export const router = createRouter({
  routeTree: rootRoute.addChildren([signInRoute, shellRoute.addChildren([...routes, accountRoute, noSuchRoute])]),
  basepath: `${basePath}/console`,
  parseSearch,
  stringifySearch,
  // Parameters that no page knows are removed from the address.
  search: { strict: true },
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultErrorComponent: BrokenPage,
});
