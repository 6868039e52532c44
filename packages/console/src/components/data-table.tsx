import { Fragment, type KeyboardEvent, type ReactNode } from "react";

export interface Column<Item> {
  title: string;
  /** The width: `120px`, `20%`. What has none shares the rest. */
  width?: string;
  /** True if the title is for screen readers only. */
  isQuiet?: boolean;
  /** Text before the value if rows are cards. */
  cardLabel?: string;
  /** True if an item has no such value: cards then leave it out. */
  isBlank?: (item: Item) => boolean;
  className?: string;
  cell: (item: Item) => ReactNode;
}

export interface DataTableProps<Item> {
  /** Its accessible name. */
  name: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  idOf: (item: Item) => string;
  isBusy?: boolean;
  /** True if a row no longer belongs here, and waits to be taken away. */
  isChanged?: (item: Item) => boolean;
  /** Content below the row of an item, over all columns. */
  below?: (item: Item) => ReactNode;
}

/** A table; cards where it is narrow. Arrows walk through its rows, by their first link or button. */
export function DataTable<Item>(props: DataTableProps<Item>) {
  const { name, columns, items, idOf, isBusy = false, isChanged, below } = props;
  return (
    <div className="table-frame">
      <table className="table table-cards" aria-label={name} aria-busy={isBusy} onKeyDown={walkRows}>
        <colgroup>
          {columns.map(({ title, width }) => (
            <col key={title} style={{ inlineSize: width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map(({ title, isQuiet }) => (
              <th key={title} scope="col">
                {isQuiet ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => {
            const more = below?.(item);
            return (
              <Fragment key={idOf(item)}>
                <tr data-changed={isChanged?.(item) || undefined}>
                  {columns.map(({ title, cardLabel, className, isBlank, cell }) => (
                    <td
                      key={title}
                      data-label={cardLabel}
                      data-blank={isBlank?.(item) || undefined}
                      className={className}
                    >
                      {cell(item)}
                    </td>
                  ))}
                </tr>
                {more && (
                  <tr>
                    <td colSpan={columns.length} className="wrap-cell">
                      {more}
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function walkRows(event: KeyboardEvent<HTMLTableElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const row = event.target instanceof Element ? event.target.closest("tr") : null;
  const next = event.key === "ArrowDown" ? row?.nextElementSibling : row?.previousElementSibling;
  const target = next?.querySelector<HTMLElement>("a, button");
  if (!target) return;
  event.preventDefault();
  target.focus();
}
