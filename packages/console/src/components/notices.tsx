import { CloseButton } from "@mantine/core";
import { createStore, useStore } from "../data/store";
import { visibleText } from "../texts/foreign-text";

interface Notice {
  id: number;
  message: string;
}

const notices = createStore<readonly Notice[]>([]);
const shownFor = 8_000;
let last = 0;

/** Says something in a corner, for a while, or until it is taken away. Gives how to replace it. */
export function showNotice(message: string, { stays = false } = {}): (message: string) => void {
  const id = ++last;
  notices.write([...notices.read(), { id, message }]);
  if (!stays) setTimeout(() => remove(id), shownFor);
  return (next) => {
    remove(id);
    showNotice(next);
  };
}

function remove(id: number): void {
  notices.write(notices.read().filter((notice) => notice.id !== id));
}

/** Messages in the corner. */
export function Notices() {
  const shown = useStore(notices);
  return (
    <div className="notices" role="status">
      {shown.map(({ id, message }) => (
        <div key={id} className="notice-card">
          <bdi dir="auto">{visibleText(message)}</bdi>
          <CloseButton aria-label="Close notice" onClick={() => remove(id)} />
        </div>
      ))}
    </div>
  );
}
