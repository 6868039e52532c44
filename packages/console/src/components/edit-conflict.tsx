import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { Saving } from "../data/conflict-safe-save";
import { useUnsaved } from "../data/unsaved";
import { Dialog } from "./dialogs";
import { SafeTextBlock } from "./safe-text";

/** Values of a version, by the names of its fields. */
export type VersionFacts = Readonly<Record<string, string>>;

export interface EditConflictProps<Item, Input> {
  /** Noun for the item: `role`. */
  what: string;
  saving: Saving<Item, Input>;
  factsOf: (item: Item) => VersionFacts;
  /** Facts of the edit, beside the version of the other person. */
  mine: (input: Input, theirs: Item) => VersionFacts;
  /** Called with the version of the other person where that is chosen. */
  onTake?: (theirs: Item) => void;
}

/** Shows both versions of something that two people have edited. Nothing is lost until one of them is chosen. */
export function EditConflict<Item, Input>(props: EditConflictProps<Item, Input>) {
  const { what, saving, factsOf, mine: mineOf, onTake } = props;
  const { conflict } = saving;
  const queryClient = useQueryClient();
  useUnsaved(conflict !== undefined);
  if (!conflict) return null;
  const [theirs, mine] = [factsOf(conflict.theirs), mineOf(conflict.mine, conflict.theirs)];
  const take = () => {
    saving.takeTheirs();
    onTake?.(conflict.theirs);
    void queryClient.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== "session" });
  };
  return (
    <Dialog title="Changed meanwhile" isOpen onClose={saving.forget} size="lg">
      <div className="stack">
        <p>Another person has changed this {what} since you opened it.</p>
        <div className="versions">
          <Version title="Theirs" facts={theirs} other={mine} />
          <Version title="Yours" facts={mine} other={theirs} />
        </div>
        <div className="dialog-buttons">
          <Button variant="default" onClick={take}>
            Take theirs
          </Button>
          <Button loading={saving.isPending} onClick={() => saving.save(conflict.mine, conflict.theirs)}>
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
            <dd>{value === "" ? "–" : <SafeTextBlock text={value} />}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
