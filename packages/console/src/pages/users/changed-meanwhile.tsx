import { Button } from "@mantine/core";
import { Dialog } from "../../components/dialogs";
import { Untrusted } from "../../components/untrusted";
import { nameOf, pathText, useRoles, useUnits } from "../../data/names";
import type { UserDraft } from "../../data/people";

export interface ChangedMeanwhileProps {
  theirs: UserDraft;
  mine: UserDraft;
  isBusy: boolean;
  onTake: () => void;
  onSave: () => void;
}

/** Shows both versions of a user that two people have edited. Nothing is lost until one of them is chosen. */
export function ChangedMeanwhile({ theirs, mine, isBusy, onTake, onSave }: ChangedMeanwhileProps) {
  return (
    <Dialog title="Changed meanwhile" isOpen onClose={onTake} size="lg">
      <div className="stack">
        <p>Another person has changed this user since you opened it.</p>
        <div className="versions">
          <Version title="Theirs" draft={theirs} />
          <Version title="Yours" draft={mine} />
        </div>
        <div className="row-end">
          <Button variant="default" onClick={onTake}>
            Take theirs
          </Button>
          <Button loading={isBusy} onClick={onSave}>
            Save mine
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Version({ title, draft }: { title: string; draft: UserDraft }) {
  const roles = useRoles();
  const units = useUnits();
  return (
    <section className="panel" aria-label={title}>
      <h3>{title}</h3>
      <p>
        <Untrusted text={draft.name} />, {draft.isEnabled ? "enabled" : "disabled"}
      </p>
      <ul>
        {draft.grants.map(({ roleId, unitId }) => (
          <li key={`${roleId} ${unitId}`}>
            <Untrusted text={nameOf(roles, roleId)} /> in <Untrusted text={pathText(units, unitId)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
