import { Textarea, TextInput } from "@mantine/core";
import type { ApiForm } from "../../data/api-form";

/** Part of a role that can be edited. */
export interface RoleDraft {
  name: string;
  description: string;
  permissions: string[];
}

export const labels = { name: "Name", description: "What it is for", permissions: "Permissions" };

/** Fields for the name of a role and what it is for. */
export function RoleFields({ form }: { form: ApiForm<RoleDraft> }) {
  return (
    <>
      <TextInput {...form.field("name")} required data-autofocus />
      <Textarea {...form.field("description")} rows={2} />
    </>
  );
}
