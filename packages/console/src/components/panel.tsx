import { type ReactNode, useId } from "react";

/** A part of a page, with a heading of its own. */
export function Panel({
  title,
  aside,
  isFlush = false,
  children,
}: {
  title: string;
  aside?: ReactNode;
  isFlush?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={isFlush ? "panel panel-flush" : "panel"} aria-labelledby={id}>
      <div className="panel-header">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
