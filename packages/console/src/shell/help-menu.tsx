import { Menu } from "@mantine/core";
import { useState } from "react";
import { Icon } from "../components/icons";
import { serviceUrl } from "../data/service";
import { Shortcuts, WhatStatesMean } from "./help-dialogs";

/** The guides that the service itself serves, by their places on its page. */
const guides = [
  ["authenticate", "Make a first call"],
  ["pages", "Page through a list"],
  ["filters", "Filter a list"],
  ["changes", "Change something"],
  ["units", "Work in a unit"],
] as const;

const tables = [
  ["", "All operations"],
  ["#permissions", "Permissions"],
  ["#errors", "Error codes"],
] as const;

/** Help with the console, and what can be read about the service, on the service itself. */
export function HelpMenu() {
  const [open, setOpen] = useState<"states" | "shortcuts">();
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu>
        <Menu.Target>
          <button type="button" className="header-button only-wide" aria-label="Help">
            <Icon name="help" />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>The console</Menu.Label>
          <Menu.Item onClick={() => setOpen("states")}>What the states mean</Menu.Item>
          <Menu.Item onClick={() => setOpen("shortcuts")}>Keyboard shortcuts</Menu.Item>
          <Menu.Divider />
          <Menu.Label>Guides to the API</Menu.Label>
          {guides.map(([place, name]) => (
            <HelpItem key={place} path={`/docs#${place}`} name={name} />
          ))}
          <Menu.Divider />
          <Menu.Label>To look up</Menu.Label>
          {tables.map(([place, name]) => (
            <HelpItem key={place} path={`/docs${place}`} name={name} />
          ))}
          <HelpItem path="/openapi.json" name="OpenAPI description" />
        </Menu.Dropdown>
      </Menu>
      <WhatStatesMean isOpen={open === "states"} onClose={close} />
      <Shortcuts isOpen={open === "shortcuts"} onClose={close} />
    </>
  );
}

function HelpItem({ path, name }: { path: string; name: string }) {
  return (
    <Menu.Item component="a" href={`${serviceUrl}${path}`} target="_blank" rel="noopener">
      {name}
    </Menu.Item>
  );
}
