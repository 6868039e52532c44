import type { ProxyCluster } from "./start-cluster";
import type { LoadRequest } from "./steady-load";

/** Gives a cluster something to tell, and what to ask it with the right answers. */
export async function prepareQuestions({ plane, nodes: [node] }: ProxyCluster): Promise<LoadRequest[]> {
  await plane.addTasks(Array.from({ length: 200 }, () => ({})));
  const { token } = await plane.serviceToken("viewer");
  const paths = ["/tasks?limit=1", "/tasks?limit=100", "/users", "/tasks?limit=20&start=3"];
  return Promise.all(paths.map(async (path) => ({ path, token, body: (await node.ask(path, { token })).text })));
}
