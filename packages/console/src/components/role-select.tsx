import { NativeSelect, type NativeSelectProps } from "@mantine/core";
import { useRoles } from "../data/names";
import { useCaller } from "../data/rights";
import { visibleText } from "../texts/foreign-text";

/** Properties of a field that chooses something by its id. */
export interface ChoiceProps extends Omit<NativeSelectProps, "data" | "onChange"> {
  value: string;
  onChange: (id: string) => void;
}

/** Chooses a role. One that may do more than the caller cannot be given, and says why. */
export function RoleSelect({ onChange, ...props }: ChoiceProps) {
  const roles = useRoles();
  const permissions = useCaller().data?.permissions ?? [];
  const data = roles.map(({ id, name, permissions: needed }) => {
    const missing = needed.find((permission) => !permissions.includes(permission));
    const shown = visibleText(name);
    return missing === undefined
      ? { value: id, label: shown }
      : { value: id, label: `${shown} (you do not hold ${missing})`, disabled: id !== props.value };
  });
  return (
    <NativeSelect
      {...props}
      data={[{ value: "", label: "Choose a role", disabled: true }, ...data]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
