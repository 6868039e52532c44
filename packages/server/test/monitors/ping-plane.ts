import { expect } from "bun:test";
import type { MonitorV1 } from "@holdfast/api/resources/monitors";
import type { TaskV1 } from "@holdfast/api/resources/tasks";
import { createApp } from "../../src/http/app";
import type { RawSettings } from "../../src/settings/settings";
import { type Answered, openPlane, type Plane, readAnswer } from "../harness";

/** A ping to send. */
export interface SentPing {
  method?: string;
  body?: string | Uint8Array<ArrayBuffer>;
  peer?: string;
  headers?: Record<string, string>;
}

/** A monitor that was made, and the path of its ping URL. */
export interface MadeMonitor {
  id: string;
  slug: string;
  path: string;
}

/** A ping to the URL of a monitor, with this at its end; or so many seconds that pass. */
export type PingStep = string | number;

/** A plane that is pinged. */
export interface PingPlane extends Plane {
  owner: string;
  addMonitor(body?: object, unit?: string): Promise<MadeMonitor>;
  /** Makes a ping key, and gives it. */
  addKey(body?: object, unit?: string): Promise<string>;
  ping(path: string, ping?: SentPing): Promise<Answered>;
  /** Pings a monitor, step by step. Every ping is answered with 200. */
  follow(monitor: MadeMonitor, steps: readonly PingStep[]): Promise<void>;
  monitor(id: string): Promise<MonitorV1>;
  /** The tasks of a monitor, oldest first. */
  runs(monitorId: string): Promise<TaskV1[]>;
  log(taskId: string): Promise<string>;
}

export async function openPingPlane(flags: RawSettings = {}): Promise<PingPlane> {
  const plane = await openPlane(flags);
  const app = createApp(plane.service);
  const { token: owner } = await plane.serviceToken("owner");
  let made = 0;
  const make = (path: string, body: object, unit?: string) => {
    made += 1;
    const asked = { method: "POST", token: owner, body: { name: `Job ${made}`, ...body } };
    return plane.ask(path, unit === undefined ? asked : { ...asked, unit });
  };
  async function ping(
    path: string,
    { method = "GET", body, peer = "192.0.2.1", headers = {} }: SentPing = {},
  ): Promise<Answered> {
    const init = { method, headers, ...(body === undefined ? {} : { body }) };
    return readAnswer(await app.request(`http://localhost${path}`, init, { peer }));
  }
  return {
    ...plane,
    owner,
    ping,
    async follow({ path }, steps) {
      for (const step of steps) {
        if (typeof step === "number") plane.clock.now += step * 1000;
        else expect([step, (await ping(`${path}${step}`)).status]).toEqual([step, 200]);
      }
    },
    async addMonitor(body = {}, unit) {
      const { body: monitor } = await make("/monitors", body, unit);
      return { id: monitor.id, slug: monitor.slug, path: new URL(monitor.ping_url).pathname };
    },
    addKey: async (body = {}, unit) => (await make("/ping-keys", body, unit)).body.key,
    monitor: async (id) => (await plane.ask(`/monitors/${id}`, { token: owner })).body,
    async runs(monitorId) {
      const filter = encodeURIComponent(JSON.stringify({ monitor_id: monitorId }));
      const { body } = await plane.ask(`/tasks?limit=1000&filter=${filter}`, { token: owner });
      return body._embedded.items.toReversed();
    },
    log: async (taskId) => (await plane.ask(`/tasks/${taskId}/log?limit=1000000`, { token: owner })).body.text,
  };
}
