import { Button, PasswordInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ConfirmDialog } from "../../components/dialogs";
import { showNotice } from "../../components/notices";
import { Panel } from "../../components/panel";
import { ErrorState } from "../../components/states";
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
      <p className="notice notice-neutral">
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

function ChangePassword() {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const change = useChange(
    () => service.request("/session/password", { method: "post", body: { current_password: current, password: next } }),
    () => {
      setCurrent("");
      setNext("");
      showNotice("Your password is changed. All other sessions have ended.");
    },
  );
  const send = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(undefined);
  };
  return (
    <Panel title="Password">
      <form className="stack form-narrow" onSubmit={send}>
        <p className="soft">All of your other sessions end when you change it.</p>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ "aria-label": "Show current password" }}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          description="12 characters or more, and no common one."
          autoComplete="new-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ "aria-label": "Show new password" }}
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
        />
        {change.error && <ErrorState error={change.error} />}
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
  const [password, setPassword] = useState("");
  const close = () => {
    setOpen(undefined);
    setPassword("");
  };
  const remove = useChange(
    () => service.request("/session/totp", { method: "delete", body: { password } }),
    () => {
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      close();
    },
  );
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
      {open === "on" && <TurnOnCodes onClose={() => setOpen(undefined)} />}
      <ConfirmDialog
        title="Turn off one-time codes?"
        isOpen={open === "off"}
        onClose={close}
        confirm="Turn off"
        isDangerous
        isBusy={remove.isPending}
        isDisabled={password === ""}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined)}
      >
        <p>From then on your password alone lets in.</p>
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ "aria-label": "Show password" }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      </ConfirmDialog>
    </Panel>
  );
}
