import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from "@tanstack/react-router";
import { load } from "./data/another-version";
import { basePath } from "./data/page-facts";
import { queryClient } from "./data/query-client";
import { parseSearch, pickTexts, stringifySearch } from "./data/search-params";
import { sessionQuery } from "./data/session";
import { BrokenPage, NoSuchPage } from "./shell/broken-page";
import { Shell } from "./shell/shell";

/** What an address can say on every page. */
interface RootSearch {
  unit?: string;
}

const rootRoute = createRootRoute({
  validateSearch: (search: Record<string, unknown>): RootSearch => pickTexts(search, ["unit"]),
  search: { middlewares: [retainSearchParams(["unit"])] },
  component: Outlet,
  notFoundComponent: NoSuchPage,
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

/** A page of the shell, with what its address can say. It is loaded when it is first opened. */
function page<Name extends string>(
  path: string,
  names: readonly Name[],
  component: ReturnType<typeof lazyRouteComponent>,
) {
  return createRoute({
    getParentRoute: () => shellRoute,
    path,
    validateSearch: (search: Record<string, unknown>) => pickTexts(search, names),
    component,
  });
}

const taskNames = [
  "q",
  "status",
  "outcome",
  "category",
  "type",
  "item",
  "item_id",
  "id",
  "error",
  "unit_only",
  "monitor",
  "since",
  "from",
  "to",
  "started_from",
  "started_to",
  "ended_from",
  "ended_to",
  "page",
  "size",
] as const;

const pages = [
  page(
    "/",
    [],
    lazyRouteComponent(() => load(import("./pages/overview/overview-page")), "OverviewPage"),
  ),
  page(
    "/tasks",
    taskNames,
    lazyRouteComponent(() => load(import("./pages/tasks/tasks-page")), "TasksPage"),
  ),
  page(
    "/tasks/$id",
    ["find"],
    lazyRouteComponent(() => load(import("./pages/task/task-page")), "TaskPage"),
  ),
  page(
    "/entities",
    ["q", "state", "type", "sort", "page"],
    lazyRouteComponent(() => load(import("./pages/entities/entities-page")), "EntitiesPage"),
  ),
  page(
    "/entities/$id",
    [],
    lazyRouteComponent(() => load(import("./pages/entities/entity-page")), "EntityPage"),
  ),
  page(
    "/monitors",
    ["q", "state", "page"],
    lazyRouteComponent(() => load(import("./pages/monitors/monitors-page")), "MonitorsPage"),
  ),
  page(
    "/monitors/$id",
    [],
    lazyRouteComponent(() => load(import("./pages/monitors/monitor-page")), "MonitorPage"),
  ),
  page(
    "/administration/users",
    ["q", "role", "held_in", "page"],
    lazyRouteComponent(() => load(import("./pages/users/users-page")), "UsersPage"),
  ),
  page(
    "/administration/users/$id",
    [],
    lazyRouteComponent(() => load(import("./pages/users/user-page")), "UserPage"),
  ),
  page(
    "/administration/roles",
    [],
    lazyRouteComponent(() => load(import("./pages/roles/roles-page")), "RolesPage"),
  ),
  page(
    "/administration/roles/$id",
    [],
    lazyRouteComponent(() => load(import("./pages/roles/role-page")), "RolePage"),
  ),
  page(
    "/administration/organizational-units",
    ["selected"],
    lazyRouteComponent(() => load(import("./pages/units/units-page")), "UnitsPage"),
  ),
  page(
    "/administration/api-tokens",
    ["q", "kind", "role", "owner", "show", "page"],
    lazyRouteComponent(() => load(import("./pages/api-tokens/api-tokens-page")), "ApiTokensPage"),
  ),
  page(
    "/administration/notifications",
    ["page"],
    lazyRouteComponent(() => load(import("./pages/notifications/notifications-page")), "NotificationsPage"),
  ),
  page(
    "/administration/notifications/$id",
    ["page"],
    lazyRouteComponent(() => load(import("./pages/notifications/notification-page")), "NotificationPage"),
  ),
  page(
    "/administration/audit",
    ["actor", "operation", "object", "result", "from", "to", "page"],
    lazyRouteComponent(() => load(import("./pages/audit/audit-page")), "AuditPage"),
  ),
  page(
    "/administration/keys",
    [],
    lazyRouteComponent(() => load(import("./pages/keys/keys-page")), "KeysPage"),
  ),
  page(
    "/account/$part",
    [],
    lazyRouteComponent(() => load(import("./pages/account/account-page")), "AccountPage"),
  ),
];

export const router = createRouter({
  routeTree: rootRoute.addChildren([signInRoute, shellRoute.addChildren(pages)]),
  basepath: `${basePath}/console`,
  parseSearch,
  stringifySearch,
  // What no page knows is taken out of the address.
  search: { strict: true },
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultErrorComponent: BrokenPage,
  defaultNotFoundComponent: NoSuchPage,
});
