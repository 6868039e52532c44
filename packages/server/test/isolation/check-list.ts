import { expect } from "bun:test";
import type { Answered, Plane } from "../harness";
import { addressOf, headersOf, type ListAsk } from "./asks";
import { type Expected, expectTasks, expectUsers, isIn } from "./model";
import { canary, type World } from "./world";

/** Walks a list and compares all that was answered with the model. */
export async function checkList(plane: Plane, world: World, ask: ListAsk): Promise<void> {
  const { token, header, filter } = ask;
  const expected =
    ask.list === "tasks" ? expectTasks(world, token, header, filter) : expectUsers(world, token, header, filter);
  const pages = await askAll(plane, addressOf(ask), ask);
  expect(pages.map(({ status }) => status)).toEqual(pages.map(() => expected.status));
  checkCanaries(world, expected, pages);
  if (expected.status !== 200) return;
  const limit = ask.limit === 0 ? 100 : Math.min(ask.limit, 1000);
  const whole = expected.items.map((item) => shown(ask, item));
  const counts = {
    total_count: whole.length,
    total_pages_count: Math.ceil(whole.length / limit),
    limit,
    filter_applied: Object.keys(filter).length === 0 ? null : expect.any(String),
  };
  expect(pages.length).toBe(Math.max(1, counts.total_pages_count));
  for (const [index, { body }] of pages.entries()) {
    const items = whole.slice(index * limit, (index + 1) * limit);
    expect(body).toMatchObject({ ...counts, start: String(index + 1), current_count: items.length });
    expect(body._embedded.items.map((item: object) => shown(ask, item))).toEqual(items);
  }
}

async function askAll(plane: Plane, address: string, ask: ListAsk): Promise<Answered[]> {
  const page = await plane.ask(address, headersOf(ask));
  const next = page.body?._links?.next?.href;
  return next === undefined ? [page] : [page, ...(await askAll(plane, next, ask))];
}

/** Item as the model knows it. */
function shown({ list, version }: ListAsk, item: object): object {
  const names =
    list === "tasks"
      ? ["id", "status", "created_timestamp", "organizational_unit_id", "primary_entity", "outcome", "error"]
      : version === 1
        ? ["id"]
        : ["id", "access_control_configuration", "organizational_unit_count"];
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

/** No byte of a task outside the context is in any answer, whatever its status. */
function checkCanaries(world: World, expected: Expected<unknown>, pages: Answered[]): void {
  const foreign = world.units.filter(({ id }) => expected.status !== 200 || !isIn(world, id, expected.unitId));
  const texts = pages.map(({ text, headers }) => text + JSON.stringify([...headers]));
  expect(foreign.filter(({ id }) => texts.some((text) => text.includes(canary(id))))).toEqual([]);
}
