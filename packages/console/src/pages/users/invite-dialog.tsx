import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Dialog, OnceDialog } from "../../components/dialogs";
import { RoleSelect } from "../../components/role-select";
import { ErrorState } from "../../components/states";
import { UnitSelect } from "../../components/unit-select";
import { Untrusted } from "../../components/untrusted";
import { useChange } from "../../data/change";
import { useClient, useUnitId } from "../../data/unit";

/** Invites a person: their link is shown once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const here = useUnitId() ?? "";
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [roleId, setRoleId] = useState("");
  const [unitId, setUnitId] = useState(here);
  const [isTried, setTried] = useState(false);
  const [link, setLink] = useState<string>();
  const invite = useChange(
    (_: undefined, idempotencyKey) => {
      const grants = [{ role_id: roleId, organizational_unit_ids: [unitId] }];
      const body = { email: email.trim(), full_name: name.trim(), access_control_configuration: grants };
      return client.users.create(body, { idempotencyKey });
    },
    ({ invitation_link }) => setLink(invitation_link ?? ""),
  );
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (roleId !== "") invite.mutate(undefined);
  };
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
          It works once, within seven days. If mail is set up, it was also sent to <Untrusted text={email.trim()} />.
        </p>
      </OnceDialog>
    );
  }
  return (
    <Dialog title="Invite user" isOpen onClose={onClose} isDirty={email !== "" || name !== ""}>
      <form className="stack" onSubmit={send}>
        <TextInput
          label="E-mail address"
          type="email"
          required
          withAsterisk={false}
          data-autofocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <TextInput
          label="Full name"
          required
          withAsterisk={false}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <RoleSelect
          label="Role"
          value={roleId}
          onChange={setRoleId}
          error={isTried && roleId === "" ? "Choose what the person may do." : undefined}
        />
        <UnitSelect label="Organizational unit" value={unitId} onChange={setUnitId} />
        {invite.error && <ErrorState error={invite.error} />}
        <div className="row-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending}>
            Create invitation
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
