import type { Permission } from "@holdfast/api/conventions/permissions";
import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import { useId } from "react";
import { useMay } from "../data/rights";

export interface PermissionButtonProps extends ButtonProps {
  /** Permission that the caller must hold here. */
  permission: Permission;
  onClick: () => void;
}

/** A button that is disabled where the caller lacks a permission, and says which. */
export function PermissionButton({ permission, onClick, children, ...props }: PermissionButtonProps) {
  const id = useId();
  if (useMay(permission)) {
    return (
      <Button {...props} onClick={onClick}>
        {children}
      </Button>
    );
  }
  const reason = `Your role lacks the permission ${permission} in this unit.`;
  return (
    <Tooltip label={reason}>
      <span>
        <Button {...props} disabled aria-describedby={id}>
          {children}
        </Button>
        <span id={id} className="visually-hidden">
          {reason}
        </span>
      </span>
    </Tooltip>
  );
}
