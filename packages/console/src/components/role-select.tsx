import { NativeSelect } from "@mantine/core";
import { useRoles } from "../data/names";
import { useCaller } from "../data/rights";
import { visibleText } from "../texts/foreign-text";

export interface RoleSelectProps {
  label: string;
  value: string;
  onChange: (id: string) => void;
  isLabelHidden?: boolean;
  description?: string;
  /** Error about the choice. */
  error?: string | undefined;
}

/** Chooses a role. One that may do more than the caller cannot be given, and says why. */
export function RoleSelect({ label, value, onChange, isLabelHidden = false, description, error }: RoleSelectProps) {
  const roles = useRoles();
  const permissions = useCaller().data?.permissions ?? [];
  const data = roles.map(({ id, name, permissions: needed }) => {
    const missing = needed.find((permission) => !permissions.includes(permission));
    const shown = visibleText(name);
    return missing === undefined
      ? { value: id, label: shown }
      : { value: id, label: `${shown} (you do not hold ${missing})`, disabled: id !== value };
  });
  return (
    <NativeSelect
      {...(isLabelHidden ? { "aria-label": label } : { label })}
      {...(description === undefined ? {} : { description })}
      error={error}
      value={value}
      data={[{ value: "", label: "Choose a role", disabled: true }, ...data]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
