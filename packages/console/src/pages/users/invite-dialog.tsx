import { TextInput } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog, OnceDialog } from "../../components/dialogs";
import { RoleSelect } from "../../components/role-select";
import { SafeText } from "../../components/safe-text";
import { UnitSelect } from "../../components/unit-select";
import { useApiForm } from "../../data/api-form";
import { useChange } from "../../data/change";
import { useClient, useUnitId } from "../../data/unit";

const role = "access_control_configuration.0.role_id";
const unit = "access_control_configuration.0.organizational_unit_ids.0";
const labels = { email: "E-mail address", full_name: "Full name", [role]: "Role", [unit]: "Organizational unit" };

/** Invites a person: their link is shown once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const here = useUnitId() ?? "";
  const [link, setLink] = useState<string>();
  const values = {
    email: "",
    full_name: "",
    access_control_configuration: [{ role_id: "", organizational_unit_ids: [here] }],
  };
  const invite = useChange(
    (body: typeof values, idempotencyKey) => client.users.create(body, { idempotencyKey }),
    ({ invitation_link }) => setLink(invitation_link ?? ""),
  );
  const form = useApiForm({
    values,
    labels,
    error: invite.error,
    validate: {
      access_control_configuration: { role_id: (id) => (id === "" ? "Choose what the person may do." : null) },
    },
  });
  if (link !== undefined) {
    return (
      <OnceDialog
        title="Invitation created"
        label="Invitation link"
        value={link}
        copyButton="Copy link"
        stored="I have passed this link on"
        onDone={onClose}
      >
        <p className="soft">
          It works once, within seven days. If mail is set up, it was also sent to <SafeText text={form.values.email} />
          .
        </p>
      </OnceDialog>
    );
  }
  return (
    <ConfirmDialog
      title="Invite user"
      isOpen
      onClose={onClose}
      isDirty={form.isDirty}
      confirm="Create invitation"
      isBusy={invite.isPending}
      error={form.rest}
      onConfirm={form.send(invite.mutate)}
    >
      <TextInput {...form.field("email")} type="email" required data-autofocus />
      <TextInput {...form.field("full_name")} required maxLength={200} />
      <RoleSelect {...form.field(role)} />
      <UnitSelect {...form.field(unit)} />
    </ConfirmDialog>
  );
}
