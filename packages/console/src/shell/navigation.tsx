import type { DiscoveryIndex } from "@holdfast/client";
import { Link } from "@tanstack/react-router";
import { Icon, type IconName } from "../components/icons";
import { offers, useCaller, useDiscovery } from "../data/rights";

export interface NavigationItem {
  name: string;
  to: string;
  icon: IconName;
  /** The list behind it: the item is there where discovery lists it. */
  resource: string;
  operation: string;
  /** For lists that show everyone at least their own: what has to be held to see others'. */
  permission?: string;
}

const groups: readonly { title: string | undefined; items: readonly NavigationItem[] }[] = [
  {
    title: undefined,
    items: [
      { name: "Overview", to: "/", icon: "overview", resource: "tasks", operation: "list-tasks" },
      { name: "Tasks", to: "/tasks", icon: "tasks", resource: "tasks", operation: "list-tasks" },
      { name: "Protected items", to: "/entities", icon: "items", resource: "entities", operation: "list-entities" },
      { name: "Monitors", to: "/monitors", icon: "monitors", resource: "monitors", operation: "list-monitors" },
    ],
  },
  {
    title: "Access management",
    items: [
      { name: "Users", to: "/administration/users", icon: "users", resource: "users", operation: "list-users" },
      { name: "Roles", to: "/administration/roles", icon: "roles", resource: "roles", operation: "list-roles" },
      {
        name: "Organizational units",
        to: "/administration/organizational-units",
        icon: "units",
        resource: "organizational-units",
        operation: "list-organizational-units",
      },
      {
        name: "API tokens",
        to: "/administration/api-tokens",
        icon: "tokens",
        resource: "api-tokens",
        operation: "list-api-tokens",
        permission: "api-tokens:read",
      },
    ],
  },
  {
    title: "Control plane",
    items: [
      {
        name: "Notifications",
        to: "/administration/notifications",
        icon: "notifications",
        resource: "webhooks",
        operation: "list-webhooks",
      },
      {
        name: "Audit trail",
        to: "/administration/audit",
        icon: "audit",
        resource: "audit-events",
        operation: "list-audit-events",
      },
      { name: "Signing keys", to: "/administration/keys", icon: "keys", resource: "keys", operation: "list-keys" },
    ],
  },
];

/** Whether a caller can open a page. */
export function isOffered(
  { resource, operation, permission }: NavigationItem,
  index: DiscoveryIndex | undefined,
  permissions: readonly string[],
): boolean {
  return offers(index, resource, operation) && (permission === undefined || permissions.includes(permission));
}

/** The item of the navigation that an address below the console belongs to. */
export function itemAt(pathname: string): NavigationItem | undefined {
  return groups
    .flatMap(({ items }) => items)
    .find(({ to }) => to !== "/" && (pathname === to || pathname.startsWith(`${to}/`)));
}

/** The groups of what a caller can open. */
function groupsFor(index: DiscoveryIndex | undefined, permissions: readonly string[]) {
  return groups
    .map(({ title, items }) => ({ title, items: items.filter((item) => isOffered(item, index, permissions)) }))
    .filter(({ items }) => items.length > 0);
}

/** The main navigation. */
export function Navigation({ onChosen }: { onChosen?: () => void }) {
  const { data: index } = useDiscovery();
  const { data: caller } = useCaller();
  return (
    <nav aria-label="Main">
      {groupsFor(index, caller?.permissions ?? []).map(({ title, items }) => (
        <div key={title ?? "first"}>
          {title && <div className="nav-title">{title}</div>}
          <ul className="nav-group">
            {items.map(({ name, to, icon }) => (
              <li key={name}>
                <Link
                  to={to}
                  className="nav-link"
                  activeOptions={{ exact: to === "/", includeSearch: false }}
                  onClick={onChosen}
                >
                  <Icon name={icon} size={18} />
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
