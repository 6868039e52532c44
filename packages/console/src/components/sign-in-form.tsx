import { HoldfastError } from "@holdfast/client";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { hasCode } from "../data/service";
import { type Session, signIn } from "../data/session";
import { sentencesOf } from "./states";
import { useNow } from "./time-text";

const codeMissing = 40109;
const attemptsExceeded = 42902;

/** E-mail address, password and, where it is asked for, a one-time code. All three are in memory only. */
export function SignInForm({
  email: known = "",
  onSignedIn,
}: {
  email?: string;
  onSignedIn: (session: Session) => void;
}) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [needsCode, setNeedsCode] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const [waitUntil, setWaitUntil] = useState(0);
  const codeField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (needsCode) codeField.current?.focus();
  }, [needsCode]);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFault(undefined);
    try {
      onSignedIn(await signIn({ email, password, code: needsCode ? code.trim() : undefined }));
    } catch (error) {
      if (hasCode(error, codeMissing)) setNeedsCode(true);
      else setFault(error);
      if (hasCode(error, attemptsExceeded)) setWaitUntil(Date.now() + (error.retryAfter ?? 0) * 1000);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className="stack" onSubmit={(event) => void send(event)}>
      {fault !== undefined && <Refusal fault={fault} waitUntil={waitUntil} />}
      <TextInput
        label="E-mail address"
        type="email"
        name="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        data-autofocus={known !== "" || undefined}
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {needsCode && (
        <TextInput
          ref={codeField}
          label="One-time code"
          description="From your authenticator app, or one of your recovery codes."
          name="code"
          autoComplete="one-time-code"
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      )}
      <Button type="submit" loading={isBusy} fullWidth>
        Sign in
      </Button>
    </form>
  );
}

function Refusal({ fault, waitUntil }: { fault: unknown; waitUntil: number }) {
  const seconds = Math.ceil((waitUntil - useNow()) / 1000);
  const isWaiting = fault instanceof HoldfastError && fault.status === 429;
  return (
    <div role="alert" className="notice look-error">
      {isWaiting && seconds > 0
        ? `Too many failed attempts. Try again in ${seconds} s.`
        : sentencesOf(fault).map((sentence) => <p key={sentence}>{sentence}</p>)}
    </div>
  );
}
