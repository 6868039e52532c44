import { Checkbox, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue, useState } from "react";
import { useNamesOfPeople } from "../../data/names";
import { queryKey } from "../../data/query-keys";
import { clientIn } from "../../data/unit";
import { visibleText } from "../../texts/foreign-text";

const maxFound = 20;

interface RecipientsProps {
  unitId: string;
  label?: string | undefined;
  value: readonly string[];
  error?: ReactNode;
  onChange: (ids: readonly string[]) => void;
}

/** Chooses the people who get mail: those who are chosen first, then those whose name matches. */
export function Recipients({ unitId, label, value: chosen, error, onChange }: RecipientsProps) {
  const [typed, setTyped] = useState("");
  const wanted = useDeferredValue(typed.trim());
  const { data: found } = useQuery({
    queryKey: queryKey(unitId, "list-users", { recipients: wanted }),
    queryFn: ({ signal }) => {
      const filter = wanted === "" ? {} : { name: { $contains: wanted } };
      return clientIn(unitId).users.list({ filter, limit: maxFound, signal }).page();
    },
    placeholderData: keepPreviousData,
  });
  const names = useNamesOfPeople(chosen);
  const others = found?.items.filter(({ id }) => !chosen.includes(id)) ?? [];
  return (
    <div>
      <TextInput
        label={label}
        error={error}
        description="They get mail as long as they may see the tasks of the unit."
        placeholder="Search by name"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <fieldset className="people-boxes" aria-label="People">
        {chosen.map((id) => (
          <Checkbox
            key={id}
            checked
            label={visibleText(names.get(id) ?? id)}
            onChange={() => onChange(chosen.filter((one) => one !== id))}
          />
        ))}
        {others.map(({ id, full_name, email }) => (
          <Checkbox
            key={id}
            checked={false}
            label={visibleText(full_name)}
            description={visibleText(email)}
            onChange={() => onChange([...chosen, id])}
          />
        ))}
        {found?.items.length === 0 && <p className="soft small">No user matches.</p>}
      </fieldset>
    </div>
  );
}
