import { Button, Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { colorSchemes, useColorScheme } from "../components/color-schemes";
import { Dialog } from "../components/dialogs";
import { Facts } from "../components/facts";
import { Icon } from "../components/icons";
import { publicUrl, version } from "../data/page-facts";
import { serviceUrl } from "../data/service";
import { signOut, useSession } from "../data/session";
import { firstLine, visibleText } from "../texts/foreign-text";

/** The menu of the person who is signed in. */
export function AccountMenu() {
  const { user } = useSession();
  const { colorScheme, setColorScheme } = useColorScheme();
  const [isAboutOpen, setAboutOpen] = useState(false);
  const name = visibleText(firstLine(user.full_name, 60));
  const leave = async () => {
    try {
      await signOut();
    } finally {
      location.replace(`${serviceUrl}/console/sign-in`);
    }
  };
  return (
    <>
      <Menu closeOnItemClick>
        <Menu.Target>
          <button type="button" className="header-button" aria-label={`Account: ${name}`}>
            <Icon name="account" />
            <bdi className="only-wide clip">{name}</bdi>
            <span className="only-wide">
              <Icon name="down" size={14} />
            </span>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{visibleText(user.email)}</Menu.Label>
          <Menu.Item component={Link} to="/account/profile">
            Your account
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>Colours</Menu.Label>
          {colorSchemes.map(([scheme, word]) => (
            <Menu.Item
              key={scheme}
              aria-current={colorScheme === scheme || undefined}
              closeMenuOnClick={false}
              leftSection={colorScheme === scheme ? <Icon name="check" size={16} /> : <span className="option-check" />}
              onClick={() => setColorScheme(scheme)}
            >
              {word}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item className="only-narrow" component="a" href={`${serviceUrl}/docs`} target="_blank" rel="noopener">
            Documentation of the API
          </Menu.Item>
          <Menu.Item onClick={() => setAboutOpen(true)}>About</Menu.Item>
          <Menu.Item onClick={() => void leave()}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog title="About Holdfast" isOpen={isAboutOpen} onClose={() => setAboutOpen(false)}>
        <div className="stack">
          <Facts
            facts={{
              Version: version,
              Address: <code>{publicUrl}</code>,
              Documentation: (
                <a href={`${serviceUrl}/docs`} target="_blank" rel="noopener">
                  The API
                </a>
              ),
            }}
          />
          <div className="dialog-buttons">
            <Button onClick={() => setAboutOpen(false)}>Close</Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
