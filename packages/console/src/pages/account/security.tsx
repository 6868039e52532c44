import { Button, PasswordInput } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "../../components/dialogs";
import { showNotice } from "../../components/notices";
import { Panel } from "../../components/panel";
import { ErrorState } from "../../components/states";
import { useApiForm } from "../../data/api-form";
import { useChange } from "../../data/change";
import { queryClient } from "../../data/query-client";
import { service } from "../../data/service";
import { sessionQuery, useSession } from "../../data/session";
import { TurnOnCodes } from "./turn-on-codes";

/** Password and one-time codes. */
export function Security() {
  const { user } = useSession();
  if (!user.has_password) {
    return (
      <p className="notice look-neutral">
        You sign in with your organization's provider. Passwords and one-time codes are set there, so there is nothing
        to change here.
      </p>
    );
  }
  return (
    <div className="stack">
      <ChangePassword />
      <OneTimeCodes hasCodes={user.has_totp} />
    </div>
  );
}

const noPasswords = { current_password: "", password: "" };
const labels = { current_password: "Current password", password: "New password" };

function ChangePassword() {
  const change = useChange(
    (body: typeof noPasswords) => service.request("/session/password", { method: "post", body }),
    () => {
      form.reset();
      showNotice("Your password is changed. All other sessions have ended.");
    },
  );
  const form = useApiForm({ values: noPasswords, labels, error: change.error });
  return (
    <Panel title="Password">
      <form className="stack form-narrow" onSubmit={form.send(change.mutate)}>
        <p className="soft">All of your other sessions end when you change it.</p>
        <PasswordInput
          {...form.field("current_password")}
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={{ "aria-label": "Show current password" }}
        />
        <PasswordInput
          {...form.field("password")}
          description="12 characters or more, and no common one."
          autoComplete="new-password"
          required
          visibilityToggleButtonProps={{ "aria-label": "Show new password" }}
        />
        {form.rest ? <ErrorState error={form.rest} /> : null}
        <div>
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function OneTimeCodes({ hasCodes }: { hasCodes: boolean }) {
  const [open, setOpen] = useState<"on" | "off">();
  const close = () => setOpen(undefined);
  return (
    <Panel title="One-time codes">
      <div className="spread">
        <p className="soft">
          {hasCodes
            ? "Signing in asks for a code from your authenticator app, in addition to the password."
            : "A code from an authenticator app, in addition to the password: a stolen password alone is not enough to sign in."}
        </p>
        {hasCodes ? (
          <Button variant="default" className="danger" onClick={() => setOpen("off")}>
            Turn off one-time codes
          </Button>
        ) : (
          <Button onClick={() => setOpen("on")}>Turn on one-time codes</Button>
        )}
      </div>
      {open === "on" && <TurnOnCodes onClose={close} />}
      {open === "off" && <TurnOffCodes onClose={close} />}
    </Panel>
  );
}

function TurnOffCodes({ onClose }: { onClose: () => void }) {
  const remove = useChange(
    (body: { password: string }) => service.request("/session/totp", { method: "delete", body }),
    () => {
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      onClose();
    },
  );
  const form = useApiForm({ values: { password: "" }, labels: { password: "Password" }, error: remove.error });
  return (
    <ConfirmDialog
      title="Turn off one-time codes?"
      isOpen
      onClose={onClose}
      confirm="Turn off"
      isDangerous
      isBusy={remove.isPending}
      isDisabled={!form.isDirty}
      error={form.rest}
      onConfirm={form.send(remove.mutate)}
    >
      <p>From then on your password alone lets in.</p>
      <PasswordInput {...form.field("password")} autoComplete="current-password" data-autofocus />
    </ConfirmDialog>
  );
}
