import { Button, Menu, Popover, TextInput } from "@mantine/core";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import { visibleText } from "../texts/foreign-text";
import { wordOf } from "../texts/task-words";
import { Icon } from "./icons";

/** Something that a list can be filtered by. */
export interface FilterKind {
  /** Its name in the address. */
  name: string;
  /** Name of the filter for people: `Outcome`. */
  title: string;
  /** The values to choose from, with their words. Without them a text is typed. */
  options?: readonly string[] | undefined;
  words?: Readonly<Record<string, string>>;
  /** Called when its values are first looked at. */
  onOpen?: () => void;
}

export interface FilterBarProps {
  kinds: readonly FilterKind[];
  /** The values, by name, with commas between them. */
  values: Readonly<Record<string, string | undefined>>;
  /** Sets a value. The first change while a list is open is a step that Back undoes; the others belong to it. */
  onChange: (name: string, value: string | undefined, isSameStep: boolean) => void;
}

/** The filters that are set, each of which a button takes away, and a menu for more. */
export function FilterBar({ kinds, values, onChange }: FilterBarProps) {
  const [open, setOpen] = useState<FilterKind>();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const hasChanged = useRef(false);
  const begin = (kind: FilterKind) => {
    hasChanged.current = false;
    kind.onOpen?.();
    setOpen(kind);
  };
  const change = (kind: FilterKind, value: string | undefined) => {
    onChange(kind.name, value, hasChanged.current);
    hasChanged.current = true;
  };
  const current = open && (kinds.find(({ name }) => name === open.name) ?? open);
  return (
    <>
      {kinds.map(({ name, title, words = {} }) => {
        const value = values[name];
        if (value === undefined) return null;
        const text = value
          .split(",")
          .map((one) => visibleText(wordOf(words, one)))
          .join(", ");
        return (
          <button
            key={name}
            type="button"
            className="chip"
            aria-label={`Remove filter: ${title} is ${text}`}
            onClick={() => onChange(name, undefined, false)}
          >
            <bdi className="clip">
              {title} is {text}
            </bdi>
            <Icon name="close" size={14} />
          </button>
        );
      })}
      <Popover
        opened={current !== undefined}
        onChange={(isOpen) => !isOpen && setOpen(undefined)}
        position="bottom-start"
        withRoles={false}
        trapFocus
      >
        <Popover.Target>
          <div>
            <Menu opened={isMenuOpen} onChange={setMenuOpen} position="bottom-start" returnFocus={false}>
              <Menu.Target>
                <Button variant="default" leftSection={<Icon name="add" size={16} />}>
                  Add filter
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {kinds.map((kind) => (
                  <Menu.Item key={kind.name} onClick={() => begin(kind)}>
                    {kind.title}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          </div>
        </Popover.Target>
        <Popover.Dropdown>
          {current &&
            (current.options ? (
              <OptionList kind={current} value={values[current.name]} onChange={(value) => change(current, value)} />
            ) : (
              <TextFilter
                kind={current}
                value={values[current.name]}
                onDone={(value) => {
                  change(current, value);
                  setOpen(undefined);
                }}
              />
            ))}
        </Popover.Dropdown>
      </Popover>
    </>
  );
}

function OptionList({
  kind,
  value,
  onChange,
}: {
  kind: FilterKind;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const { title, options = [], words = {} } = kind;
  const chosen = value === undefined ? [] : value.split(",");
  const list = useRef<HTMLDivElement>(null);
  const toggle = (option: string) => {
    // The order of the words, not of the clicks: equal filters have equal addresses.
    const next = options.filter((one) => (one === option ? !chosen.includes(one) : chosen.includes(one)));
    onChange(next.length === 0 ? undefined : next.join(","));
  };
  const onKeyDown = (event: KeyboardEvent, option: string) => {
    const at = options.indexOf(option);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: options.length - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) list.current?.querySelectorAll<HTMLElement>('[role="option"]')[to]?.focus();
    else if (event.key === "Enter" || event.key === " ") toggle(option);
    else return;
    event.preventDefault();
  };
  if (options.length === 0) return <p className="soft">There is nothing to choose from.</p>;
  return (
    <div ref={list} role="listbox" aria-label={title} aria-multiselectable="true" className="listbox">
      {options.map((option, at) => (
        <div
          key={option}
          role="option"
          aria-selected={chosen.includes(option)}
          tabIndex={at === 0 ? 0 : -1}
          className="option"
          onClick={() => toggle(option)}
          onKeyDown={(event) => onKeyDown(event, option)}
        >
          <span className="option-check">{chosen.includes(option) && <Icon name="check" size={16} />}</span>
          <bdi>{visibleText(wordOf(words, option))}</bdi>
        </div>
      ))}
    </div>
  );
}

function TextFilter({
  kind,
  value,
  onDone,
}: {
  kind: FilterKind;
  value: string | undefined;
  onDone: (value: string | undefined) => void;
}) {
  const [typed, setTyped] = useState(value ?? "");
  const apply = (event: FormEvent) => {
    event.preventDefault();
    onDone(typed.trim() === "" ? undefined : typed.trim());
  };
  return (
    <form className="row" onSubmit={apply}>
      <TextInput
        aria-label={kind.title}
        placeholder={kind.title}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit">Apply</Button>
    </form>
  );
}
