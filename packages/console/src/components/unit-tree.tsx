import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import type { TreeUnit } from "../data/unit-forest";
import { Icon } from "./icons";

/** A unit with those below it. */
export interface TreeNode extends TreeUnit {
  children: TreeNode[];
}

/** Makes a tree of units: those whose name has the text, and what is above them. */
export function buildTree(units: readonly TreeUnit[], text = ""): TreeNode[] {
  const nodes = new Map(units.map((unit): [string, TreeNode] => [unit.id, { ...unit, children: [] }]));
  const wanted = text.trim().toLocaleLowerCase();
  const kept = new Set<string>();
  for (const node of nodes.values()) {
    if (!node.name.toLocaleLowerCase().includes(wanted)) continue;
    for (
      let above: TreeNode | undefined = node;
      above && !kept.has(above.id);
      above = nodes.get(above.parent_id ?? "")
    ) {
      kept.add(above.id);
    }
  }
  const tops: TreeNode[] = [];
  for (const node of nodes.values()) {
    if (!kept.has(node.id)) continue;
    const above = nodes.get(node.parent_id ?? "");
    (above ? above.children : tops).push(node);
  }
  const byName = (one: TreeNode, other: TreeNode) => one.name.localeCompare(other.name);
  for (const node of nodes.values()) node.children.sort(byName);
  return tops.sort(byName);
}

export interface UnitTreeProps {
  tree: readonly TreeNode[];
  selected: string | undefined;
  /** True if everything is open, as while something is searched for. */
  isAllOpen?: boolean;
  onSelect: (id: string) => void;
  /** Called when a unit is opened whose units below are not known yet. */
  onOpen?: ((id: string) => void) | undefined;
  label: (name: string) => ReactNode;
}

interface Row {
  node: TreeNode;
  level: number;
  parentId: string | undefined;
}

/** Number of levels that are open at first. */
const openLevels = 2;

/** The tree of units: arrows walk and open it, Enter selects. */
export function UnitTree({ tree, selected, isAllOpen = false, onSelect, onOpen, label }: UnitTreeProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [focused, setFocused] = useState<string>();
  const frame = useRef<HTMLDivElement>(null);
  const above = useMemo(() => pathTo(tree, selected), [tree, selected]);
  const isOpen = ({ node, level }: Pick<Row, "node" | "level">) =>
    isAllOpen || (chosen.get(node.id) ?? (isOpenAtFirst(node, level) || above.has(node.id)));
  const rows = flatten(tree, isOpen);
  const entry = rows.some(({ node }) => node.id === focused)
    ? focused
    : (rows.find(({ node }) => node.id === selected) ?? rows[0])?.node.id;

  const focus = (id: string | undefined) => {
    if (id === undefined) return;
    setFocused(id);
    frame.current?.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus();
  };
  const toggle = (row: Row) => {
    const { id, children } = row.node;
    setChosen(new Map(chosen).set(id, !isOpen(row)));
    if (children.length === 0) onOpen?.(id);
  };
  const onKeyDown = (event: KeyboardEvent, row: Row, at: number) => {
    const { node, parentId } = row;
    const hasChildren = canOpen(node, isAllOpen);
    const act: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focus(rows[at + 1]?.node.id),
      ArrowUp: () => focus(rows[at - 1]?.node.id),
      ArrowRight: () => (hasChildren && !isOpen(row) ? toggle(row) : focus(node.children[0]?.id)),
      ArrowLeft: () => (hasChildren && isOpen(row) ? toggle(row) : focus(parentId)),
      Home: () => focus(rows[0]?.node.id),
      End: () => focus(rows.at(-1)?.node.id),
      Enter: () => onSelect(node.id),
      " ": () => onSelect(node.id),
    };
    const found = act[event.key];
    if (!found) return;
    event.preventDefault();
    event.stopPropagation();
    found();
  };
  return (
    <div ref={frame} role="tree" aria-label="Organizational units" className="tree">
      {rows.map((row, at) => {
        const { node, level } = row;
        const hasChildren = canOpen(node, isAllOpen);
        return (
          <div
            key={node.id}
            role="treeitem"
            data-id={node.id}
            aria-level={level + 1}
            aria-selected={node.id === selected}
            aria-expanded={hasChildren ? isOpen(row) : undefined}
            tabIndex={node.id === entry ? 0 : -1}
            className="tree-row"
            style={{ paddingInlineStart: 8 + level * 20 }}
            onClick={() => onSelect(node.id)}
            onFocus={() => setFocused(node.id)}
            onKeyDown={(event) => onKeyDown(event, row, at)}
          >
            <span
              className="tree-toggle"
              aria-hidden="true"
              onClick={(event) => {
                event.stopPropagation();
                toggle(row);
              }}
            >
              {hasChildren && <Icon name={isOpen(row) ? "down" : "right"} size={14} />}
            </span>
            <span className="clip">{label(node.name)}</span>
          </div>
        );
      })}
    </div>
  );
}

/** True if something is below a unit, be it known or not. */
function canOpen({ children, child_count = 0 }: TreeNode, isAllOpen: boolean): boolean {
  return children.length > 0 || (!isAllOpen && child_count > 0);
}

/** Units below are shown at first only if they are known. */
function isOpenAtFirst({ children }: TreeNode, level: number): boolean {
  return level < openLevels && children.length > 0;
}

function flatten(
  tree: readonly TreeNode[],
  isOpen: (row: Pick<Row, "node" | "level">) => boolean,
  level = 0,
  parentId?: string,
): Row[] {
  return tree.flatMap((node) => [
    { node, level, parentId },
    ...(isOpen({ node, level }) ? flatten(node.children, isOpen, level + 1, node.id) : []),
  ]);
}

/** The ids of what is above a unit. */
function pathTo(tree: readonly TreeNode[], id: string | undefined): Set<string> {
  for (const node of tree) {
    if (node.id === id) return new Set();
    const below = pathTo(node.children, id);
    if (below.size > 0 || node.children.some((child) => child.id === id)) return below.add(node.id);
  }
  return new Set();
}
