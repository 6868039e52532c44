import { Link } from "@tanstack/react-router";
import { PageHeading, usePageTitle } from "../components/page";
import { SafeText } from "../components/safe-text";
import { EmptyState } from "../components/states";
import { useCaller } from "../data/rights";
import { useSession } from "../data/session";

/** Said of a unit in which the person holds no role, with those in which they do. */
export function NoRoleHere() {
  usePageTitle("No role in this unit · Holdfast");
  const { organizational_units, organizational_unit_id } = useSession();
  return (
    <div className="state state-centred">
      <PageHeading title="You hold no role in this unit" />
      <p className="soft">Or it does not exist. You hold roles in these:</p>
      <ul className="plain-list">
        {organizational_units.map(({ organizational_unit_id: id, name }) => (
          <li key={id}>
            <Link to="/" search={{ unit: id === organizational_unit_id ? undefined : id }}>
              <SafeText text={name} />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Said to an account that cannot look at tasks. */
export function ReporterOnly() {
  usePageTitle("Holdfast");
  return (
    <div className="page">
      <PageHeading title="This account can report tasks, and nothing else" />
      <EmptyState title="There is nothing to look at" icon="lock">
        <p>
          Ask an administrator for a role that may see tasks, such as <code>viewer</code>. What you can do for yourself
          is under <Link to="/account/profile">Your account</Link>.
        </p>
      </EmptyState>
    </div>
  );
}

/** Said of a page that the caller's role does not include. */
export function Forbidden({ title, permission }: { title: string; permission: string }) {
  usePageTitle(`${title} · Holdfast`);
  const unitName = useCaller().data?.organizational_unit.name;
  return (
    <div className="page">
      <PageHeading title={title} />
      <EmptyState title="Your role does not include this page" icon="lock">
        <p>
          It needs the permission <code>{permission}</code> in{" "}
          <SafeText text={unitName ?? "this organizational unit"} />. Ask an administrator for it, or switch to a unit
          in which you hold it.
        </p>
      </EmptyState>
    </div>
  );
}
