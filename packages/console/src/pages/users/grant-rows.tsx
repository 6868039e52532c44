import { Button, Input } from "@mantine/core";
import type { ReactNode } from "react";
import { RoleSelect } from "../../components/role-select";
import { SafeText } from "../../components/safe-text";
import { UnitSelect } from "../../components/unit-select";
import { nameOf, pathText, useRoles, useUnits } from "../../data/names";
import type { Grant } from "../../data/people";
import { useUnitId } from "../../data/unit";

export interface GrantRowsProps {
  grants: readonly Grant[];
  isReadOnly: boolean;
  /** Error of all of them. */
  error: ReactNode;
  onChange: (grants: readonly Grant[]) => void;
}

/** The roles that a person holds, each in a unit. */
export function GrantRows({ grants, isReadOnly, error, onChange }: GrantRowsProps) {
  const here = useUnitId() ?? "";
  const roles = useRoles();
  const units = useUnits(grants.map(({ unitId }) => unitId));
  const set = (at: number, grant: Grant) => onChange(grants.map((one, other) => (other === at ? grant : one)));
  return (
    <div className="stack-small">
      <h3>Roles held</h3>
      {grants.length === 0 && <p className="soft">None: this person sees nothing.</p>}
      <table className="grants" aria-label="Roles held">
        <tbody>
          {grants.map((grant, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two equal rows can be there while they are edited.
            <tr key={at}>
              {isReadOnly ? (
                <>
                  <td>
                    <SafeText text={nameOf(roles, grant.roleId)} />
                  </td>
                  <td>
                    <SafeText text={pathText(units, grant.unitId)} />
                  </td>
                </>
              ) : (
                <>
                  <td>
                    <RoleSelect
                      aria-label="Role"
                      value={grant.roleId}
                      onChange={(roleId) => set(at, { ...grant, roleId })}
                    />
                  </td>
                  <td>
                    <UnitSelect
                      aria-label="Organizational unit"
                      value={grant.unitId}
                      onChange={(unitId) => set(at, { ...grant, unitId })}
                    />
                  </td>
                  <td>
                    <Button
                      variant="subtle"
                      size="xs"
                      onClick={() => onChange(grants.filter((_, other) => other !== at))}
                    >
                      Remove
                    </Button>
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {error && <Input.Error>{error}</Input.Error>}
      {!isReadOnly && (
        <div>
          <Button variant="default" size="xs" onClick={() => onChange([...grants, { roleId: "", unitId: here }])}>
            Add role
          </Button>
        </div>
      )}
    </div>
  );
}
