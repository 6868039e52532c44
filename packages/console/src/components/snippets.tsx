import { Tabs } from "@mantine/core";
import { CopyButton } from "./copy";

/** Commands for several tools, each with a button that copies it. */
export function Snippets({ texts }: { texts: Readonly<Record<string, string>> }) {
  const [first = ""] = Object.keys(texts);
  return (
    <Tabs defaultValue={first} className="snippets">
      <Tabs.List>
        {Object.keys(texts).map((name) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(texts).map(([name, text]) => (
        <Tabs.Panel key={name} value={name}>
          <Snippet text={text} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
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
