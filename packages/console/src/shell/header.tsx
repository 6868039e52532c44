import { Link } from "@tanstack/react-router";
import { Icon, Logo } from "../components/icons";
import { AccountMenu } from "./account-menu";
import { HelpMenu } from "./help-menu";
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
      <HelpMenu />
      <AccountMenu />
    </header>
  );
}
