import { type Client, connect, type ListOptions, type Task, type WatchEvent } from "../src/index";
import { reportTask } from "../src/report/index";

/**
 * Mistakes that the compiler has to refuse. Nothing of this is run: each line below an `@ts-expect-error` is a mistake, and `tsc`
 * fails where it does not see one.
 */
export async function mistakes(holdfast: Client): Promise<void> {
  // @ts-expect-error: there is no such field
  holdfast.tasks.list({ filter: { colour: "red" } });
  // @ts-expect-error: a status is a word, and words have no order
  holdfast.tasks.list({ filter: { status: { $gte: "failed" } } });
  // @ts-expect-error: $in takes a list
  holdfast.tasks.list({ filter: { status: { $in: "failed" } } });
  // @ts-expect-error: a moment is compared by its order
  holdfast.tasks.list({ filter: { created_timestamp: new Date() } });
  // @ts-expect-error: only moments are dates
  holdfast.tasks.list({ filter: { type: new Date() } });
  // @ts-expect-error: the number of items is a number
  holdfast.tasks.list({ limit: "5" });
  // @ts-expect-error: keys have no filter
  holdfast.keys.list({ filter: { id: "1" } });
  // @ts-expect-error: a stream takes the filters of the list
  holdfast.tasks.watch({ filter: { colour: "red" } });
  // @ts-expect-error: a stream has no pages to begin with
  holdfast.tasks.watch({ start: 2 });

  // @ts-expect-error: there is no such category
  await holdfast.tasks.create({ category: "dance", type: "restic_backup" });
  // @ts-expect-error: there is no such field
  await holdfast.tasks.update("1", { colour: "red" });
  // @ts-expect-error: only the service says that a run was missed
  await holdfast.tasks.update("1", { status: "failed", outcome: "gone" });
  // @ts-expect-error: a user has an e-mail address
  await holdfast.users.create({ full_name: "Ada" });
  // @ts-expect-error: a report is a create, an update or a piece of log
  await holdfast.tasks.report({ reports: [{ operation: "delete", task_id: "1", body: {} }] });
  // @ts-expect-error: a read task is not changed
  await holdfast.tasks.delete("1");
  // @ts-expect-error: what is created has no ETag yet
  await holdfast.roles.create({ name: "a", permissions: [] }, { ifMatch: "x" });

  const second = await holdfast.users.read("1");
  const first = await holdfast.users.read("1", { version: 1 });
  const old = connect({ token: "", versions: { users: 1 } });
  second.created_timestamp.toUpperCase();
  // @ts-expect-error: version 1 does not say when a user was created
  first.created_timestamp.toUpperCase();
  // @ts-expect-error: nor does a client that asks for version 1
  (await old.users.read("1")).created_timestamp.toUpperCase();
  (await old.users.read("1", { version: 2 })).created_timestamp.toUpperCase();
  // @ts-expect-error: there is no version 3
  await holdfast.users.read("1", { version: 3 });
  // @ts-expect-error: tasks have one version
  await holdfast.tasks.read("1", { version: 1 });
  // @ts-expect-error: there is no version 3 for a client either
  connect({ token: "", versions: { users: 3 } });
  for await (const user of old.users.list()) user.email.toUpperCase();

  // @ts-expect-error: there is no such operation, so it has no options either
  const options: ListOptions<{ colour: string }> = { filter: { size: "9" } };
  // @ts-expect-error: a task may have no outcome yet
  (await holdfast.tasks.read("1")).outcome.length;
  // @ts-expect-error: a lease is for the runner
  (await holdfast.tasks.read("1")).lease;
  (await holdfast.tasks.create({ category: "backup", type: "a" })).lease?.expires_in_seconds.toFixed();
  // @ts-expect-error: not every event has an item
  const itemOf = (event: WatchEvent<Task>) => event.item;
  // @ts-expect-error: what is reported has a category that there is
  await reportTask(holdfast, { category: "dance", type: "a" }, () => 1);
  // @ts-expect-error: the result is what the work gives
  const text: string = await reportTask(holdfast, { category: "backup", type: "a" }, () => 1);
  void [options, itemOf, text];
}
