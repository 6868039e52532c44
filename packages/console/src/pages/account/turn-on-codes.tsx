import { Button, Checkbox, PasswordInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { encode } from "uqr";
import { CopyButton, CopyField } from "../../components/copy";
import { ConfirmDialog, Dialog } from "../../components/dialogs";
import { saveText } from "../../components/save-text";
import { useApiForm } from "../../data/api-form";
import { useChange } from "../../data/change";
import { queryClient } from "../../data/query-client";
import { service } from "../../data/service";
import { sessionQuery } from "../../data/session";

interface Enrolment {
  secret: string;
  otpauth_uri: string;
}

/** Turns one-time codes on: password, then the secret, then a first code, then ten recovery codes. */
export function TurnOnCodes({ onClose }: { onClose: () => void }) {
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [recovery, setRecovery] = useState<readonly string[]>();
  const [isStored, setStored] = useState(false);
  const enrol = useChange(
    (password: string) => service.request("/session/totp", { method: "post", body: { password } }),
    ({ text }) => setEnrolment(JSON.parse(text)),
  );
  const confirm = useChange(
    (code: string) => service.request("/session/totp/confirm", { method: "post", body: { code } }),
    ({ text }) => setRecovery(JSON.parse(text).recovery_codes),
  );
  const form = useApiForm({
    values: { password: "", code: "" },
    labels: { password: "Current password", code: "Code" },
    error: confirm.error ?? enrol.error,
  });
  const finish = () => {
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    onClose();
  };
  if (recovery) {
    return (
      <Dialog title="Recovery codes" isOpen onClose={() => {}} isFixed>
        <div className="stack">
          <p>One-time codes are on. Each of these works once, if you have lost your phone. They are shown only once.</p>
          <ul className="recovery mono" aria-label="Recovery codes">
            {recovery.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
          <div className="row">
            <CopyButton text={recovery.join("\n")} name="Copy codes" />
            <Button
              variant="default"
              onClick={() => saveText(`${recovery.join("\n")}\n`, "holdfast-recovery-codes.txt", "text/plain")}
            >
              Download codes
            </Button>
          </div>
          <div className="spread">
            <Checkbox
              label="I have stored these codes"
              checked={isStored}
              onChange={(event) => setStored(event.currentTarget.checked)}
            />
            <Button disabled={!isStored} onClick={finish}>
              Done
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title="Turn on one-time codes"
      isOpen
      onClose={onClose}
      isDirty={form.isDirty}
      confirm={enrolment ? "Confirm code" : "Continue"}
      isBusy={enrol.isPending || confirm.isPending}
      error={form.rest}
      onConfirm={form.send(({ password, code }) => (enrolment ? confirm.mutate(code.trim()) : enrol.mutate(password)))}
    >
      {enrolment ? (
        <>
          <p>Scan this with your authenticator app, or type the secret into it.</p>
          <QrCode text={enrolment.otpauth_uri} />
          <CopyField label="Secret" value={enrolment.secret} button="Copy secret" />
          <TextInput
            {...form.field("code")}
            description="The six digits that the app shows now."
            inputMode="numeric"
            autoComplete="one-time-code"
            required
          />
        </>
      ) : (
        <PasswordInput {...form.field("password")} autoComplete="current-password" required data-autofocus />
      )}
    </ConfirmDialog>
  );
}

/** A QR code, drawn here: the secret leaves this page for no other service. */
function QrCode({ text }: { text: string }) {
  const { size, data } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code of the secret"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
