import { Menu } from "@mantine/core";
import { Icon } from "../components/icons";
import { serviceUrl } from "../data/service";

/** The guides that the service itself serves, by their places on its page. */
const guides = [
  ["authenticate", "Make a first call"],
  ["pages", "Page through a list"],
  ["filters", "Filter a list"],
  ["changes", "Change something"],
  ["units", "Work in a unit"],
] as const;

const tables = [
  ["", "All operations"],
  ["#permissions", "Permissions"],
  ["#errors", "Error codes"],
] as const;

/** Pages about the service, on the service itself. */
export function HelpMenu() {
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 120 }}>
      <Menu.Target>
        <button type="button" className="header-button only-wide" aria-label="Help">
          <Icon name="help" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Guides to the API</Menu.Label>
        {guides.map(([place, name]) => (
          <HelpItem key={place} path={`/docs#${place}`} name={name} />
        ))}
        <Menu.Divider />
        <Menu.Label>To look up</Menu.Label>
        {tables.map(([place, name]) => (
          <HelpItem key={place} path={`/docs${place}`} name={name} />
        ))}
        <HelpItem path="/openapi.json" name="OpenAPI description" />
      </Menu.Dropdown>
    </Menu>
  );
}

function HelpItem({ path, name }: { path: string; name: string }) {
  return (
    <Menu.Item component="a" href={`${serviceUrl}${path}`} target="_blank" rel="noopener">
      {name}
    </Menu.Item>
  );
}
