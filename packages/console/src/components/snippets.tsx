import { Tabs } from "@mantine/core";
import { CopyButton } from "./copy";

/** Commands for several tools, each with a button that copies it. */
export function Snippets({ texts }: { texts: Readonly<Record<string, string>> }) {
  const [first = ""] = Object.keys(texts).map(idOf);
  return (
    <Tabs defaultValue={first} className="snippets">
      <Tabs.List>
        {Object.keys(texts).map((name) => (
          <Tabs.Tab key={name} value={idOf(name)}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(texts).map(([name, text]) => (
        <Tabs.Panel key={name} value={idOf(name)}>
          <Snippet text={text} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** The name of a tool as a part of the id of its tab, which has no spaces. */
function idOf(name: string): string {
  return name.replaceAll(" ", "-");
}

/** A command to copy. */
export function Snippet({ text }: { text: string }) {
  return (
    <div className="snippet-frame">
      <pre className="snippet">{text}</pre>
      <CopyButton text={text} />
    </div>
  );
}
