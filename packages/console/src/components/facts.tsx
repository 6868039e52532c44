import { Fragment, type ReactNode } from "react";

/** Facts by their names. Those without a value are left out. */
export type FactList = Readonly<Record<string, ReactNode>>;

/** Facts with their names. */
export function Facts({ facts }: { facts: FactList }) {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null && value !== false);
  return (
    <dl className="facts">
      {known.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
