import { Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Icon, Logo } from "../components/icons";
import { serviceUrl } from "../data/service";
import { AccountMenu } from "./account-menu";
import { RunningTasks } from "./running-tasks";
import { UnitSwitcher } from "./unit-switcher";

/** The header of every page. */
export function Header({ onMenu }: { onMenu: () => void }) {
  return (
    <header className="shell-header">
      <button type="button" className="header-button only-narrow" aria-label="Open navigation" onClick={onMenu}>
        <Icon name="menu" />
      </button>
      <Link to="/" className="wordmark" aria-label="Holdfast">
        <Logo />
        <span className="only-wide">Holdfast</span>
      </Link>
      <UnitSwitcher />
      <span className="shell-header-space" />
      <RunningTasks />
      <Menu position="bottom-end" transitionProps={{ duration: 120 }}>
        <Menu.Target>
          <button type="button" className="header-button only-wide" aria-label="Help">
            <Icon name="help" />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={`${serviceUrl}/docs`} target="_blank" rel="noopener">
            Documentation of the API
          </Menu.Item>
          <Menu.Item component="a" href={`${serviceUrl}/openapi.json`} target="_blank" rel="noopener">
            OpenAPI description
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <AccountMenu />
    </header>
  );
}
