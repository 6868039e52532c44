import { useState } from "react";
import { nameOf, unitName, useRoles, useUnits } from "../data/names";
import { useSession } from "../data/session";
import { type ApiToken, tokenState } from "../data/tokens";
import { visibleText } from "../texts/foreign-text";
import { type Column, DataTable } from "./data-table";
import { RowMenu } from "./row-menu";
import { SafeText } from "./safe-text";
import { TimeText, useMinute } from "./time-text";
import { RenameToken, RevokeToken, RotateToken } from "./token-dialogs";

/** Whose name stands behind an id. */
type People = ReadonlyMap<string, string>;

export interface TokenTableProps {
  tokens: readonly ApiToken[];
  people: People;
  isBusy: boolean;
  /** Why none of them can be changed; they can where this is missing. */
  reason?: string | undefined;
}

/** Says why a token is refused, and what to do. */
function adviseAboutForeign(address: string | null): string {
  return `It was issued for ${visibleText(address ?? "")}, which is no address of this service. Name that in the setting base_url_aliases, or create a new token.`;
}

/** API tokens, and what can be done with each. */
export function TokenTable({ tokens, people, isBusy, reason }: TokenTableProps) {
  const now = useMinute();
  // A person need hold no role in the unit that is shown.
  const { user, organizational_units } = useSession();
  const roles = useRoles();
  const units = useUnits(tokens.map((token) => token.organizational_unit_id));
  const [open, setOpen] = useState<{ dialog: "rename" | "rotate" | "revoke"; token: ApiToken }>();
  const nameOfPerson = (id: string | null) =>
    id === null ? "" : (people.get(id) ?? (id === user.id ? user.full_name : id));
  // A personal token can be of a unit above the one that is shown.
  const nameOfUnit = (id: string) =>
    units.some((unit) => unit.id === id)
      ? unitName(units, id)
      : (organizational_units.find((held) => held.organizational_unit_id === id)?.name ?? id);
  const columns: Column<ApiToken>[] = [
    {
      title: "Name",
      className: "strong",
      cell: ({ name }) => (
        <span className="clip">
          <SafeText text={name} />
        </span>
      ),
    },
    {
      title: "State",
      width: "116px",
      cell: (token) => {
        const { word, look } = tokenState(token, now);
        if (!token.is_foreign) return <span className={`badge look-${look}`}>{word}</span>;
        return (
          <span className={`badge look-${look}`} title={adviseAboutForeign(token.base_url)}>
            {word}
          </span>
        );
      },
    },
    {
      title: "Kind",
      width: "80px",
      className: "card-inline",
      cell: ({ kind }) => (kind === "service" ? "Service" : "Personal"),
    },
    {
      title: "Acts as",
      width: "18%",
      cell: ({ kind, role_id, user_id, organizational_unit_id }) => (
        <span className="two-lines">
          <span className="clip">
            <SafeText text={kind === "service" ? nameOf(roles, role_id) || "role is gone" : nameOfPerson(user_id)} />
          </span>{" "}
          <span className="clip soft small">
            in <SafeText text={nameOfUnit(organizational_unit_id)} />
          </span>
        </span>
      ),
    },
    {
      title: "Created by",
      width: "13%",
      cardLabel: "Created by",
      cell: ({ created_by }) => (
        <span className="clip soft">
          <SafeText text={nameOfPerson(created_by) || "command line"} />
        </span>
      ),
    },
    {
      title: "Expires",
      width: "118px",
      className: "card-inline",
      cardLabel: "Expires",
      cell: ({ expires_timestamp }) => <TimeText at={expires_timestamp} />,
    },
    {
      title: "Last used",
      width: "13%",
      cardLabel: "Last used",
      cell: ({ last_used_timestamp, last_used_address, last_used_client }) =>
        last_used_timestamp === null ? (
          <span className="soft">never</span>
        ) : (
          <span className="two-lines" title={visibleText(last_used_client ?? "")}>
            <TimeText at={last_used_timestamp} /> <span className="clip soft small">{last_used_address}</span>
          </span>
        ),
    },
    {
      title: "Actions",
      width: "48px",
      isQuiet: true,
      className: "card-corner",
      cell: (token) => {
        const isOver = tokenState(token, now).word === "Revoked" ? "It is revoked already." : undefined;
        const why = reason ?? isOver;
        return (
          <RowMenu
            of={token.name}
            actions={[
              { name: "Rename", reason: why, act: () => setOpen({ dialog: "rename", token }) },
              { name: "Rotate", reason: why, act: () => setOpen({ dialog: "rotate", token }) },
              { name: "Revoke", reason: why, isDangerous: true, act: () => setOpen({ dialog: "revoke", token }) },
            ]}
          />
        );
      },
    },
  ];
  const close = () => setOpen(undefined);
  return (
    <>
      <DataTable name="API tokens" columns={columns} items={tokens} idOf={({ id }) => id} isBusy={isBusy} />
      {open?.dialog === "rename" && <RenameToken token={open.token} onClose={close} />}
      {open?.dialog === "rotate" && <RotateToken token={open.token} onClose={close} />}
      {open?.dialog === "revoke" && <RevokeToken token={open.token} onClose={close} />}
    </>
  );
}
