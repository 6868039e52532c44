import { Menu } from "@mantine/core";
import { visibleText } from "../texts/foreign-text";
import { Icon } from "./icons";

export interface RowAction {
  name: string;
  isDangerous?: boolean;
  /** Why it cannot be done; it can where this is missing. */
  reason?: string | undefined;
  act: () => void;
}

/** Menu of actions on a row. */
export function RowMenu({ of, actions }: { of: string; actions: readonly RowAction[] }) {
  return (
    <Menu>
      <Menu.Target>
        <button type="button" className="header-button menu-button" aria-label={`Actions for ${visibleText(of)}`}>
          <Icon name="more" size={18} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ name, isDangerous, reason, act }) => (
          <Menu.Item
            key={name}
            disabled={reason !== undefined}
            title={reason}
            className={isDangerous && reason === undefined ? "danger-item" : ""}
            onClick={act}
          >
            {name}
            {reason !== undefined && <span className="small soft menu-reason">{reason}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
