import { Modal } from "@mantine/core";
import { SignInForm } from "../components/sign-in-form";
import { serviceUrl } from "../data/service";
import { useSession } from "../data/session";
import { sessionGate } from "../data/session-gate";
import { useStore } from "../data/store";
import { hasUnsaved } from "../data/unsaved";

/** Asks a person to sign in again whose session has ended. What was typed in the page behind it stays. */
export function SignInAgain() {
  const gate = useStore(sessionGate);
  const { user } = useSession();
  return (
    <Modal
      opened={gate === "closed"}
      onClose={() => {}}
      title="Sign in again"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
    >
      <div className="stack">
        <p>
          Your session has ended.
          {hasUnsaved() && " What you have typed is kept, and is sent once you have signed in."}
        </p>
        <SignInForm
          email={user.email}
          onSignedIn={({ user: now }) => {
            // The page behind belongs to the person who opened it.
            if (now.id !== user.id) location.replace(`${serviceUrl}/console/`);
          }}
        />
      </div>
    </Modal>
  );
}
