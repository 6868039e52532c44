import { Link } from "@tanstack/react-router";
import { Dialog, type DialogProps } from "../components/dialogs";
import { StatusMark } from "../components/status-mark";
import { usesShortcuts } from "../data/shortcuts";
import { useStore } from "../data/store";
import { entityLooks, monitorLooks } from "../texts/state-words";
import { describeTask, type Shown } from "../texts/task-words";

type HelpProps = Pick<DialogProps, "isOpen" | "onClose">;

const ended = (outcome: "success" | "warning" | "error" | "cancelled" | "lost" | "expired" | "missed") =>
  describeTask({ status: "completed", outcome });

/** Meanings of the states. */
const states: readonly { of: string; means: readonly (readonly [Shown, string])[] }[] = [
  {
    of: "Tasks",
    means: [
      [ended("success"), "It did all of its work."],
      [ended("warning"), "It ended, but left something out."],
      [ended("error"), "It failed."],
      [ended("lost"), "Its runner went silent, and how it ended is not known."],
      [ended("missed"), "A monitor expected it, and it did not begin."],
      [ended("expired"), "It was queued, and no runner took it in time."],
      [ended("cancelled"), "A person or its host stopped it."],
    ],
  },
  {
    of: "Protected items",
    means: [
      [entityLooks.never, "No backup of it has succeeded yet."],
      [entityLooks.failing, "Its last backup failed."],
      [entityLooks.missed, "Its last backup did not begin."],
      [entityLooks.stale, "Its last good backup is too old."],
      [entityLooks.incomplete, "Its last backup left something out."],
      [entityLooks.unwatched, "It has a good backup, but no monitor expects the next one."],
      [entityLooks.good, "It has a good backup, and a monitor expects the next one."],
    ],
  },
  {
    of: "Monitors",
    means: [
      [monitorLooks.ok, "The last run came and succeeded."],
      [monitorLooks.late, "A run is due. It is missed when the grace period ends."],
      [monitorLooks.missed, "The last run did not come."],
      [monitorLooks.failed, "The last run failed."],
      [monitorLooks.waiting, "No run has come yet."],
      [monitorLooks.paused, "Nothing is expected until the pause ends."],
    ],
  },
];

/** Explains the words for states. */
export function WhatStatesMean(props: HelpProps) {
  return (
    <Dialog title="What the states mean" size="lg" {...props}>
      <div className="stack">
        {states.map(({ of, means }) => (
          <section key={of} aria-label={of}>
            <h3>{of}</h3>
            <dl className="facts">
              {means.map(([look, meaning]) => (
                <div key={look.word} className="pair">
                  <dt>
                    <StatusMark {...look} />
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

const keys = [
  ["/", "Search in a list"],
  ["↑ ↓", "Walk through the rows of a list"],
  ["Enter", "Open the row"],
  ["← →", "Walk through the columns of a figure, or the runs of an item"],
  ["Esc", "Close what is open"],
] as const;

/** Says what keys do. */
export function Shortcuts({ isOpen, onClose }: HelpProps) {
  const isOn = useStore(usesShortcuts);
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <div className="stack">
        <dl className="facts">
          {keys.map(([key, does]) => (
            <div key={key} className="pair">
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <p className="soft">
          {isOn ? "They are on in this browser." : "They are off in this browser."}{" "}
          <Link to="/account/$part" params={{ part: "profile" }} onClick={onClose}>
            {isOn ? "Turn them off" : "Turn them on"}
          </Link>
        </p>
      </div>
    </Dialog>
  );
}
