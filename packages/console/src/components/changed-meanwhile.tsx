import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useUnsaved } from "../data/unsaved";
import { Dialog } from "./dialogs";
import { UntrustedBlock } from "./untrusted";

/** Values of a version, by the names of its fields. */
export type VersionFacts = Readonly<Record<string, string>>;

export interface ChangedMeanwhileProps {
  /** Name of what was edited: `role`. */
  what: string;
  theirs: VersionFacts;
  mine: VersionFacts;
  isBusy: boolean;
  onTake: () => void;
  onSave: () => void;
  /** Returns to the form, with everything that was typed. */
  onClose: () => void;
}

/** Shows both versions of something that two people have edited. Nothing is lost until one of them is chosen. */
export function ChangedMeanwhile({ what, theirs, mine, isBusy, onTake, onSave, onClose }: ChangedMeanwhileProps) {
  const queryClient = useQueryClient();
  useUnsaved(true);
  const take = () => {
    onTake();
    void queryClient.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== "session" });
  };
  return (
    <Dialog title="Changed meanwhile" isOpen onClose={onClose} size="lg">
      <div className="stack">
        <p>Another person has changed this {what} since you opened it.</p>
        <div className="versions">
          <Version title="Theirs" facts={theirs} other={mine} />
          <Version title="Yours" facts={mine} other={theirs} />
        </div>
        <div className="row-end">
          <Button variant="default" onClick={take}>
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

function Version({ title, facts, other }: { title: string; facts: VersionFacts; other: VersionFacts }) {
  return (
    <section className="panel" aria-label={title}>
      <h3>{title}</h3>
      <dl className="version-facts">
        {Object.entries(facts).map(([name, value]) => (
          <div key={name} data-differs={value !== other[name] || undefined}>
            <dt>{name}</dt>
            <dd>{value === "" ? "–" : <UntrustedBlock text={value} />}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
