import { Link, useParams } from "@tanstack/react-router";
import { Page } from "../../components/page";
import { AccountSessions } from "./account-sessions";
import { AccountTokens } from "./account-tokens";
import { Profile } from "./profile";
import { Security } from "./security";

const parts = [
  { part: "profile", name: "Profile" },
  { part: "security", name: "Security" },
  { part: "sessions", name: "Sessions" },
  { part: "tokens", name: "Tokens" },
] as const;

/** Page on which people change their own account, whatever their role. */
export function AccountPage() {
  const { part = "profile" } = useParams({ strict: false });
  return (
    <Page title="Your account">
      <nav aria-label="Your account" className="views">
        {parts.map((one) => (
          <Link key={one.part} to="/account/$part" params={{ part: one.part }} className="view">
            {one.name}
          </Link>
        ))}
      </nav>
      {part === "security" ? (
        <Security />
      ) : part === "sessions" ? (
        <AccountSessions />
      ) : part === "tokens" ? (
        <AccountTokens />
      ) : (
        <Profile />
      )}
    </Page>
  );
}
