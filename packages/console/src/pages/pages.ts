import type { Permission } from "@holdfast/api/conventions/permissions";
import type { ViewPageName } from "@holdfast/api/resources/view-pages";
import type { DiscoveryIndex } from "@holdfast/client";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { IconName } from "../components/icons";
import { offers } from "../data/rights";
import { load } from "../data/stale-bundle";

/** The resources that have a page. Each is listed by `list-<resource>`, with the permission `<resource>:read`. */
type Resource = Extract<Permission, `${string}:read`> extends `${infer Name}:read` ? Name : never;

/** The names in the query of an address that a page reads, and the code that draws it, which is loaded when it is first opened. */
interface Place {
  search?: readonly string[];
  component: ReturnType<typeof lazyRouteComponent>;
}

/** A page of the console: its route, its place in the navigation, and who may open it. */
export interface PageDescription extends Place {
  path: string;
  /** Its heading, and its name in the navigation. */
  name: string;
  icon: IconName;
  resource: Resource;
  /** Views of its list that can be saved. What their queries can say is in its address, too. */
  views?: ViewPageName;
  /** The page of one item, at `<path>/<id>`. */
  item?: Place;
}

const work: readonly PageDescription[] = [
  {
    path: "/",
    name: "Overview",
    icon: "overview",
    resource: "tasks",
    component: lazyRouteComponent(() => load(import("./overview/overview-page")), "OverviewPage"),
  },
  {
    path: "/tasks",
    name: "Tasks",
    icon: "tasks",
    resource: "tasks",
    views: "tasks",
    search: ["page", "size"],
    component: lazyRouteComponent(() => load(import("./tasks/tasks-page")), "TasksPage"),
    item: {
      search: ["find"],
      component: lazyRouteComponent(() => load(import("./task/task-page")), "TaskPage"),
    },
  },
  {
    path: "/entities",
    name: "Protected items",
    icon: "items",
    resource: "entities",
    views: "entities",
    search: ["page"],
    component: lazyRouteComponent(() => load(import("./entities/entities-page")), "EntitiesPage"),
    item: { component: lazyRouteComponent(() => load(import("./entities/entity-page")), "EntityPage") },
  },
  {
    path: "/monitors",
    name: "Monitors",
    icon: "monitors",
    resource: "monitors",
    views: "monitors",
    search: ["page"],
    component: lazyRouteComponent(() => load(import("./monitors/monitors-page")), "MonitorsPage"),
    item: { component: lazyRouteComponent(() => load(import("./monitors/monitor-page")), "MonitorPage") },
  },
];

const accessManagement: readonly PageDescription[] = [
  {
    path: "/administration/users",
    name: "Users",
    icon: "users",
    resource: "users",
    views: "users",
    search: ["page"],
    component: lazyRouteComponent(() => load(import("./users/users-page")), "UsersPage"),
    item: { component: lazyRouteComponent(() => load(import("./users/user-page")), "UserPage") },
  },
  {
    path: "/administration/roles",
    name: "Roles",
    icon: "roles",
    resource: "roles",
    component: lazyRouteComponent(() => load(import("./roles/roles-page")), "RolesPage"),
    item: { component: lazyRouteComponent(() => load(import("./roles/role-page")), "RolePage") },
  },
  {
    path: "/administration/organizational-units",
    name: "Organizational units",
    icon: "units",
    resource: "organizational-units",
    search: ["selected"],
    component: lazyRouteComponent(() => load(import("./units/units-page")), "UnitsPage"),
  },
  {
    path: "/administration/api-tokens",
    name: "API tokens",
    icon: "tokens",
    resource: "api-tokens",
    views: "api-tokens",
    search: ["page"],
    component: lazyRouteComponent(() => load(import("./api-tokens/api-tokens-page")), "ApiTokensPage"),
  },
];

const controlPlane: readonly PageDescription[] = [
  {
    path: "/administration/notifications",
    name: "Notifications",
    icon: "notifications",
    resource: "webhooks",
    search: ["page"],
    component: lazyRouteComponent(() => load(import("./notifications/notifications-page")), "NotificationsPage"),
    item: {
      search: ["page"],
      component: lazyRouteComponent(() => load(import("./notifications/notification-page")), "NotificationPage"),
    },
  },
  {
    path: "/administration/audit",
    name: "Audit trail",
    icon: "audit",
    resource: "audit-events",
    views: "audit-events",
    search: ["page"],
    component: lazyRouteComponent(() => load(import("./audit/audit-page")), "AuditPage"),
  },
  {
    path: "/administration/keys",
    name: "Signing keys",
    icon: "keys",
    resource: "keys",
    component: lazyRouteComponent(() => load(import("./keys/keys-page")), "KeysPage"),
  },
];

/** Every page of the navigation, group by group. */
export const pageGroups = [
  { title: undefined, pages: work },
  { title: "Access management", pages: accessManagement },
  { title: "Control plane", pages: controlPlane },
] as const;

export const pages: readonly PageDescription[] = pageGroups.flatMap((group) => group.pages);

/** The page that an address below the console belongs to. */
export function pageAt(pathname: string): PageDescription | undefined {
  return pages.find(({ path }) => pathname === path || (path !== "/" && pathname.startsWith(`${path}/`)));
}

/** The permission that a page needs. */
export function permissionFor({ resource }: PageDescription): Permission {
  return `${resource}:read`;
}

/** Tells if a caller can open a page: some lists show everyone at least their own, but their page is for those who see others'. */
export function isOffered(
  page: PageDescription,
  index: DiscoveryIndex | undefined,
  permissions: readonly string[],
): boolean {
  return offers(index, page.resource, `list-${page.resource}`) && permissions.includes(permissionFor(page));
}
