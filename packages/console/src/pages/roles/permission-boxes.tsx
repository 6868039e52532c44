import { permissions as known } from "@holdfast/api/conventions/permissions";
import { Checkbox, Input } from "@mantine/core";
import type { ReactNode } from "react";
import { useCaller } from "../../data/rights";

export interface PermissionBoxesProps {
  value: readonly string[];
  isReadOnly?: boolean;
  error?: ReactNode;
  onChange: (permissions: readonly string[]) => void;
}

/** Everything that a role can allow, by resource. What the caller does not hold can be neither given nor taken. */
export function PermissionBoxes({ value: chosen, isReadOnly = false, error, onChange }: PermissionBoxesProps) {
  const held = useCaller().data?.permissions ?? [];
  const descriptions: Readonly<Record<string, string>> = known;
  const names = [...new Set([...Object.keys(known), ...chosen])];
  const resources = Map.groupBy(names, (name) => name.split(":")[0] ?? name);
  return (
    <div className="permission-groups">
      {error && <Input.Error className="whole-row">{error}</Input.Error>}
      {[...resources].map(([resource, permissions]) => (
        <fieldset key={resource} className="permission-group">
          <legend>{titleOf(resource)}</legend>
          {permissions.map((permission) => {
            const isHeld = held.includes(permission);
            const note = isHeld || isReadOnly ? "" : " You may not give this: you do not hold it.";
            return (
              <Checkbox
                key={permission}
                label={permission}
                description={`${descriptions[permission] ?? ""}${note}`}
                checked={chosen.includes(permission)}
                disabled={isReadOnly || !isHeld}
                onChange={(event) =>
                  onChange(
                    event.currentTarget.checked
                      ? [...chosen, permission].toSorted()
                      : chosen.filter((one) => one !== permission),
                  )
                }
              />
            );
          })}
        </fieldset>
      ))}
    </div>
  );
}

/** The resources that pages of the console are called otherwise for. */
const titles = new Map([
  ["entities", "Protected items"],
  ["webhooks", "Notifications"],
  ["audit-events", "Audit trail"],
  ["keys", "Signing keys"],
  ["views", "Saved views"],
]);

/** `api-tokens` as people write it: `API tokens`. */
function titleOf(resource: string): string {
  const title = titles.get(resource);
  if (title !== undefined) return title;
  const words = resource.replaceAll("-", " ").replace(/^api\b/, "API");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
