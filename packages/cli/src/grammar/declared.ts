// Generated from the declarations in packages/api/src/resources by `npm run docs`. Change those, not this file.
import type { DeclaredResource } from "./declared-resource";

export const declared = {
  users: {
    isInUnit: false,
    list: {
      text: "List the users who hold a role in the organizational unit or below it.",
      sorts: [],
      filters: {
        name: { kind: "name", text: "The full name or the e-mail address, in any letter case." },
        role_id: { kind: "id", text: "A role that the user holds." },
        organizational_unit_id: {
          kind: "id",
          text: "A unit in which, not merely above or below which, the user holds a role.",
        },
        id: { kind: "id", text: "The user's id." },
      },
    },
    create: {
      text: "Invite a user. The response has a link with which the person sets a password.",
      fields: {
        email: { kind: "text", isRequired: true, text: "E-mail address." },
        full_name: { kind: "text", isRequired: true, text: "Full name, 1 to 200 characters." },
        access_control_configuration: {
          kind: "json",
          text: "The roles that the user is to hold, and where. Units in which the caller may not manage users stay as they are.",
        },
      },
    },
    update: {
      text: "Change a user's name, time zone or roles, or enable or disable the user.",
      fields: {
        full_name: { kind: "text", text: "Full name, 1 to 200 characters." },
        time_zone: {
          kind: "text",
          text: "The zone of the times in mail, a name of the IANA database such as `Europe/Berlin`, by default `UTC`. UTC stands next to them.",
        },
        is_enabled: { kind: "flag", text: "Whether the person may use the service." },
        access_control_configuration: {
          kind: "json",
          text: "The roles that the user is to hold, and where. Units in which the caller may not manage users stay as they are.",
        },
      },
    },
    delete: { text: "Delete a user, with their sessions and personal tokens.", fields: {} },
  },
  tasks: {
    isInUnit: true,
    list: {
      text: "List the tasks of the organizational unit and of those below it, newest first.",
      sorts: [],
      filters: {
        status: {
          kind: "word",
          words: ["queued", "in_progress", "aborting", "completed", "failed", "aborted"],
          text: "Where the task stands.",
        },
        category: {
          kind: "word",
          words: ["backup", "restore", "snapshot", "snapshot_restore", "system", "report_generation", "management"],
          text: "The kind of task.",
        },
        type: { kind: "word", text: "What exactly it does." },
        id: { kind: "id", text: "The task's id." },
        created_timestamp: { kind: "timestamp", text: "When it was created." },
        start_timestamp: { kind: "timestamp", text: "When it began." },
        end_timestamp: { kind: "timestamp", text: "When it ended." },
        "primary_entity.id": { kind: "text", text: "The id of what is protected." },
        "primary_entity.value": { kind: "text", text: "The name of what is protected." },
        outcome: {
          kind: "word",
          words: ["success", "warning", "error", "cancelled", "lost", "expired", "missed"],
          text: "How it ended. A task that has not ended has no outcome: `$eq` and `$in` leave it out, `$neq` does not.",
        },
        "error.code": {
          kind: "word",
          text: "What went wrong. A task without an error has no code: `$eq` and `$in` leave it out, `$neq` does not.",
        },
        organizational_unit_id: {
          kind: "id",
          text: "The organizational unit that it belongs to, without those below it.",
        },
        monitor_id: { kind: "id", text: "The monitor that it is a run of, which may be gone." },
        operation: {
          kind: "word",
          text: "The recurring piece of work that it is a run of: its `type`, unless it has another.",
        },
      },
    },
  },
  monitors: {
    isInUnit: true,
    list: {
      text: "List the monitors of the organizational unit and of those below it.",
      sorts: ["name", "-name", "state", "-state"],
      filters: {
        name: { kind: "name", text: "The name, in any letter case." },
        id: { kind: "id", text: "The monitor's id." },
        slug: { kind: "word", text: "The slug." },
        state: {
          kind: "word",
          words: ["missed", "failed", "late", "waiting", "ok", "paused"],
          text: "How it stands.",
        },
        category: {
          kind: "word",
          words: ["backup", "restore", "snapshot", "snapshot_restore", "system", "report_generation", "management"],
          text: "What kind of task its runs are.",
        },
        type: { kind: "word", text: "What exactly its runs do." },
        next_expected_timestamp: {
          kind: "timestamp",
          text: "When the next run is expected. A monitor that expects none matches nothing.",
        },
      },
    },
    create: {
      text: "Create a monitor. The answer shows its ping URL.",
      fields: {
        name: { kind: "text", isRequired: true, text: "Name, 1 to 200 characters." },
        organizational_unit_id: { kind: "text", text: "By default the unit that is acted in." },
        slug: { kind: "text", text: "Its name in the URLs of pings. Made of the name where it is left out." },
        category: {
          kind: "choice",
          words: ["backup", "restore", "snapshot", "snapshot_restore", "system", "report_generation", "management"],
          text: "What kind of task its runs are. `backup` where it is left out.",
        },
        type: {
          kind: "text",
          text: "What exactly its runs do. `ping_run` where it is left out; `restic_backup` knows what exit status 3 means.",
        },
        primary_entity: {
          kind: "json",
          text: "What its runs protect. The monitor itself, as a `job`, where it is left out.",
        },
        operation: {
          kind: "text",
          isNullable: true,
          text: "Follows an operation of `primary_entity`, which has to be given: tasks of these which name no monitor are its runs. Null follows none.",
        },
        schedule: { kind: "json", isNullable: true, text: "When runs are expected; null expects nothing." },
        grace_seconds: {
          kind: "number",
          min: 60,
          max: 2592000,
          text: "How late a run may begin. 3600 where it is left out.",
        },
        run_limit_seconds: {
          kind: "number",
          min: 60,
          max: 2592000,
          text: "How long a run that pings report may be without an end. 86400 where it is left out.",
        },
        body_rules: {
          kind: "json",
          isNullable: true,
          text: "What to look for in the bodies of pings that say success.",
        },
        paused_until: {
          kind: "timestamp",
          isNullable: true,
          text: "Until when nothing is expected; null ends a pause.",
        },
      },
    },
    update: {
      text: "Change, pause or resume a monitor.",
      fields: {
        name: { kind: "text", text: "Name, 1 to 200 characters." },
        slug: { kind: "text", text: "Its name in the URLs of pings. Made of the name where it is left out." },
        category: {
          kind: "choice",
          words: ["backup", "restore", "snapshot", "snapshot_restore", "system", "report_generation", "management"],
          text: "What kind of task its runs are. `backup` where it is left out.",
        },
        type: {
          kind: "text",
          text: "What exactly its runs do. `ping_run` where it is left out; `restic_backup` knows what exit status 3 means.",
        },
        primary_entity: {
          kind: "json",
          text: "What its runs protect. The monitor itself, as a `job`, where it is left out.",
        },
        operation: {
          kind: "text",
          isNullable: true,
          text: "Follows an operation of `primary_entity`, which has to be given: tasks of these which name no monitor are its runs. Null follows none.",
        },
        schedule: { kind: "json", isNullable: true, text: "When runs are expected; null expects nothing." },
        grace_seconds: {
          kind: "number",
          min: 60,
          max: 2592000,
          text: "How late a run may begin. 3600 where it is left out.",
        },
        run_limit_seconds: {
          kind: "number",
          min: 60,
          max: 2592000,
          text: "How long a run that pings report may be without an end. 86400 where it is left out.",
        },
        body_rules: {
          kind: "json",
          isNullable: true,
          text: "What to look for in the bodies of pings that say success.",
        },
        paused_until: {
          kind: "timestamp",
          isNullable: true,
          text: "Until when nothing is expected; null ends a pause.",
        },
      },
    },
    delete: { text: "Delete a monitor. Its tasks stay.", fields: {} },
  },
  "ping-keys": {
    isInUnit: true,
    list: {
      text: "List the ping keys of the organizational unit and of those below it, newest first.",
      sorts: [],
      filters: { name: { kind: "name", text: "The name, in any letter case." } },
    },
    create: {
      text: "Create a ping key. The answer shows it, this once.",
      fields: {
        name: { kind: "text", isRequired: true, text: "Name, 1 to 200 characters." },
        organizational_unit_id: { kind: "text", text: "By default the unit that is acted in." },
        category: {
          kind: "choice",
          words: ["backup", "restore", "snapshot", "snapshot_restore", "system", "report_generation", "management"],
          text: "What kind of task its runs are. `backup` where it is left out.",
        },
        type: {
          kind: "text",
          text: "What exactly its runs do. `ping_run` where it is left out; `restic_backup` knows what exit status 3 means.",
        },
        may_create: {
          kind: "flag",
          text: "Whether a ping with `create=1` makes a monitor that is not there. false where it is left out.",
        },
        default_period_seconds: {
          kind: "number",
          isNullable: true,
          min: 60,
          max: 31536000,
          text: "How often runs of monitors that it makes are expected, 86400 where it is left out; null expects nothing.",
        },
      },
    },
    delete: { text: "Delete a ping key: pings with it are refused at once. Monitors that it made stay.", fields: {} },
  },
  entities: {
    isInUnit: true,
    list: {
      text: "List the protected entities of the organizational unit and of those below it.",
      sorts: ["state", "-state", "value", "-value", "last_good_backup", "-last_good_backup"],
      filters: {
        state: {
          kind: "word",
          words: ["never", "failing", "missed", "stale", "incomplete", "unwatched", "good"],
          text: "How it stands.",
        },
        "primary_entity.type": { kind: "word", text: "The type of what is protected." },
        "primary_entity.id": { kind: "text", text: "The id of what is protected." },
        "primary_entity.value": { kind: "text", text: "The name of what is protected." },
        "last_good_backup.end_timestamp": {
          kind: "timestamp",
          text: "When the last good backup ended. What has none matches nothing.",
        },
        is_retired: { kind: "flag", text: "Whether it is retired." },
        is_muted: { kind: "flag", text: "Whether it is muted." },
        id: { kind: "id", text: "The entity's id." },
        organizational_unit_id: {
          kind: "id",
          text: "The organizational unit that it belongs to, without those below it.",
        },
      },
    },
    update: {
      text: "Mute a protected entity until a moment, or retire it or some of its operations: they need no attention then.",
      fields: {
        muted_until: {
          kind: "timestamp",
          isNullable: true,
          text: "Until when it needs no attention, a moment to come; null ends that.",
        },
        is_retired: {
          kind: "flag",
          text: "Whether it needs no attention until a new task comes; false also ends it for operations, if all are retired.",
        },
        operations: {
          kind: "json",
          text: "Operations that need no attention until they run again, or need it again. Others stay as they are.",
        },
      },
    },
  },
  "organizational-units": {
    isInUnit: false,
    list: {
      text: "List the organizational unit and those below it.",
      sorts: [],
      filters: {
        name: { kind: "name", text: "The name, in any letter case." },
        parent_id: { kind: "id", text: "The unit that it is directly below." },
        id: { kind: "id", text: "The unit's id." },
      },
    },
    create: {
      text: "Create an organizational unit below another; without parent_id, below the one that is acted in.",
      fields: {
        name: { kind: "text", isRequired: true, text: "Name, 1 to 200 characters." },
        parent_id: { kind: "text", text: "The unit to put it directly below." },
        stale_after_days: {
          kind: "number",
          isNullable: true,
          min: 0,
          max: 3650,
          text: "After how many days without a good backup an item in it, or in a unit below it that has no such number, is stale, if no monitor watches it. 0 is never; null follows the unit above it, or the service.",
        },
      },
    },
    update: {
      text: "Rename an organizational unit, move it with everything below it, or say when items in it are stale.",
      fields: {
        name: { kind: "text", text: "Name, 1 to 200 characters." },
        parent_id: { kind: "text", text: "The unit to put it directly below." },
        stale_after_days: {
          kind: "number",
          isNullable: true,
          min: 0,
          max: 3650,
          text: "After how many days without a good backup an item in it, or in a unit below it that has no such number, is stale, if no monitor watches it. 0 is never; null follows the unit above it, or the service.",
        },
      },
    },
    delete: { text: "Delete an empty organizational unit, or one whose contents are moved to another.", fields: {} },
  },
  roles: {
    isInUnit: true,
    list: {
      text: "List the roles that can be held in the organizational unit or below it: the default ones, those of units above, its own, and those made below.",
      sorts: [],
      filters: {
        name: { kind: "name", text: "The name, in any letter case." },
        id: { kind: "id", text: "The role's id." },
      },
    },
    create: {
      text: "Create a role in the organizational unit.",
      fields: {
        name: { kind: "text", isRequired: true, text: "Name, 1 to 100 characters." },
        description: { kind: "text", text: "What the role is for, at most 1000 characters." },
        permissions: {
          kind: "list",
          isRequired: true,
          text: "What its holder may do; nothing that the caller may not.",
        },
      },
    },
    update: {
      text: "Change a role of the organizational unit, for all of its holders.",
      fields: {
        name: { kind: "text", text: "Name, 1 to 100 characters." },
        description: { kind: "text", text: "What the role is for, at most 1000 characters." },
        permissions: { kind: "list", text: "What its holder may do; nothing that the caller may not." },
      },
    },
    delete: { text: "Delete a role of the organizational unit that has no holders.", fields: {} },
  },
  "api-tokens": {
    isInUnit: true,
    list: {
      text: "List the API tokens of the organizational unit and below it, and one's own.",
      sorts: ["name", "-name", "expires_timestamp", "-expires_timestamp"],
      filters: {
        name: { kind: "name", text: "The name, in any letter case." },
        kind: { kind: "word", words: ["personal", "service"], text: "`personal` or `service`." },
        user_id: { kind: "id", text: "Whose personal token it is." },
        role_id: { kind: "id", text: "The role of a service token." },
        organizational_unit_id: { kind: "id", text: "The unit that it was made for." },
        expires_timestamp: { kind: "timestamp", text: "From when on it is refused." },
        is_revoked: {
          kind: "flag",
          text: "Whether it was revoked. A rotated token is not, as long as it overlaps with the new one.",
        },
        id: { kind: "id", text: "The token's id." },
      },
    },
    create: {
      text: "Create an API token: a personal one for oneself, or a service token with a role.",
      fields: {
        name: { kind: "text", isRequired: true, text: "Name, 1 to 200 characters." },
        kind: {
          kind: "choice",
          isRequired: true,
          words: ["personal", "service"],
          text: "`personal` acts as the caller, `service` with a role of its own.",
        },
        organizational_unit_id: { kind: "text", text: "By default the unit that is acted in." },
        role_id: { kind: "text", text: "The role of a service token; it has to be left out for a personal one." },
        expires_timestamp: {
          kind: "timestamp",
          text: "From when on it is refused: by default in 90 days, at most in two years.",
        },
      },
    },
    update: { text: "Rename an API token.", fields: { name: { kind: "text", text: "Name, 1 to 200 characters." } } },
  },
  keys: {
    isInUnit: false,
    list: { text: "List the signing keys, the one that signs first.", sorts: [], filters: {} },
  },
  "audit-events": {
    isInUnit: true,
    list: {
      text: "List the audit events of the organizational unit and below it, newest first.",
      sorts: [],
      filters: {
        actor_id: { kind: "id", text: "The user or the token that acted." },
        operation: { kind: "word", text: "What was done or tried." },
        object_type: { kind: "word", text: "What kind of thing it was done to." },
        object_id: { kind: "id", text: "What it was done to." },
        organizational_unit_id: { kind: "id", text: "The unit that was acted in, and not those below it." },
        created_timestamp: { kind: "timestamp", text: "When it happened." },
        result: { kind: "word", words: ["done", "refused"], text: "`done` or `refused`." },
      },
    },
  },
  webhooks: {
    isInUnit: true,
    list: {
      text: "List the webhooks of the organizational unit and of those below it, by name.",
      sorts: [],
      filters: {
        name: { kind: "name", text: "The name, in any letter case." },
        id: { kind: "id", text: "The webhook's id." },
        kind: { kind: "word", words: ["standard", "slack", "ntfy", "mail"], text: "How it sends." },
        organizational_unit_id: {
          kind: "id",
          text: "The organizational unit that it belongs to, without those below it.",
        },
      },
    },
    create: {
      text: "Create a webhook. The secret that signs its messages is in this answer alone.",
      fields: {
        name: { kind: "text", isRequired: true, text: "Name, 1 to 200 characters." },
        kind: {
          kind: "choice",
          isRequired: true,
          words: ["standard", "slack", "ntfy", "mail"],
          text: "`standard` is signed JSON, `slack` a chat message, `ntfy` a push message, `mail` an e-mail.",
        },
        organizational_unit_id: { kind: "text", text: "By default the unit that is acted in." },
        url: {
          kind: "text",
          text: "Where to send to: https, and an address of the internet, unless `webhook_allowed_targets` names another.",
        },
        authorization: {
          kind: "text",
          isNullable: true,
          text: "The value of the `Authorization` header, such as `Bearer …`, for `standard` and `ntfy`; null for none.",
        },
        recipient_user_ids: { kind: "list", text: "For `mail`: 1 to 20 users who may see the tasks of the unit." },
        events: {
          kind: "list",
          isRequired: true,
          words: [
            "task.started",
            "task.completed",
            "task.warning",
            "task.failed",
            "task.aborted",
            "task.lost",
            "task.revived",
            "task.expired",
            "task.missed",
            "task.stalled",
            "task.overdue",
            "monitor.down",
            "monitor.up",
            "token.expiring",
            "entity.good",
            "entity.stale",
          ],
          text: "What to send, at least one.",
        },
        filter: {
          kind: "json",
          isNullable: true,
          text: "A filter of tasks, as `GET /tasks` takes it, as an object or as text; null for none.",
        },
        remind_after: {
          kind: "choice",
          words: ["never", "daily", "weekly"],
          text: "How often to remind of what stays down. By default `daily` for kinds that reach people, and `never` for `standard`.",
        },
        is_enabled: { kind: "flag", text: "Whether events are sent, by default true." },
      },
    },
    update: {
      text: "Change a webhook, or switch it off or on.",
      fields: {
        name: { kind: "text", text: "Name, 1 to 200 characters." },
        url: {
          kind: "text",
          text: "Where to send to: https, and an address of the internet, unless `webhook_allowed_targets` names another.",
        },
        authorization: {
          kind: "text",
          isNullable: true,
          text: "The value of the `Authorization` header, such as `Bearer …`, for `standard` and `ntfy`; null for none.",
        },
        recipient_user_ids: { kind: "list", text: "For `mail`: 1 to 20 users who may see the tasks of the unit." },
        events: {
          kind: "list",
          words: [
            "task.started",
            "task.completed",
            "task.warning",
            "task.failed",
            "task.aborted",
            "task.lost",
            "task.revived",
            "task.expired",
            "task.missed",
            "task.stalled",
            "task.overdue",
            "monitor.down",
            "monitor.up",
            "token.expiring",
            "entity.good",
            "entity.stale",
          ],
          text: "What to send, at least one.",
        },
        filter: {
          kind: "json",
          isNullable: true,
          text: "A filter of tasks, as `GET /tasks` takes it, as an object or as text; null for none.",
        },
        remind_after: {
          kind: "choice",
          words: ["never", "daily", "weekly"],
          text: "How often to remind of what stays down. By default `daily` for kinds that reach people, and `never` for `standard`.",
        },
        is_enabled: { kind: "flag", text: "Whether events are sent. To switch it on again forgets its failures." },
      },
    },
    delete: { text: "Delete a webhook, with what waits to be sent.", fields: {} },
  },
  "webhook-deliveries": {
    isInUnit: false,
    list: {
      text: "List what the webhooks of the organizational unit and of those below it send, newest first.",
      sorts: [],
      filters: {
        webhook_id: { kind: "id", text: "The webhook that it is sent by." },
        state: {
          kind: "word",
          words: ["waiting", "sending", "delivered", "failed", "dropped"],
          text: "Where it stands.",
        },
        event: { kind: "word", text: "What happened." },
        task_id: { kind: "id", text: "The task that it happened to." },
        created_timestamp: { kind: "timestamp", text: "When it happened." },
      },
    },
  },
  views: {
    isInUnit: true,
    list: {
      text: "List the views that are shared in the organizational unit and in those below it, and the caller's private ones, by name.",
      sorts: [],
      filters: {
        name: { kind: "name", text: "The name, in any letter case." },
        id: { kind: "id", text: "The view's id." },
        page: {
          kind: "word",
          words: ["tasks", "entities", "monitors", "users", "api-tokens", "audit-events"],
          text: "The page that it is a view of.",
        },
        is_shared: { kind: "flag", text: "Whether it is shared." },
        organizational_unit_id: {
          kind: "id",
          text: "The organizational unit in which it is shared, without those below it.",
        },
      },
    },
    create: {
      text: "Save a view of a list, for oneself or shared in the organizational unit.",
      fields: {
        name: { kind: "text", isRequired: true, text: "Name, 1 to 100 characters." },
        page: {
          kind: "choice",
          isRequired: true,
          words: ["tasks", "entities", "monitors", "users", "api-tokens", "audit-events"],
          text: "The page of the console that it is a view of, by the resource that it lists.",
        },
        query: {
          kind: "text",
          isRequired: true,
          text: "The query of the page's address, percent-encoded, at most 4000 characters. Its filter and its order have to be those of the page.",
        },
        is_shared: {
          kind: "flag",
          text: "Whether everyone who may see views in the organizational unit sees it, by default false. Needs `views:write`.",
        },
      },
    },
    update: {
      text: "Rename a view, change its query, share it in the organizational unit, or make it private to the caller.",
      fields: {
        name: { kind: "text", text: "Name, 1 to 100 characters." },
        query: {
          kind: "text",
          text: "The query of the page's address, percent-encoded, at most 4000 characters. Its filter and its order have to be those of the page.",
        },
        is_shared: {
          kind: "flag",
          text: "Whether everyone who may see views in the organizational unit sees it, by default false. Needs `views:write`.",
        },
      },
    },
    delete: { text: "Delete a view.", fields: {} },
  },
  caller: { isInUnit: false },
} as const satisfies Record<string, DeclaredResource>;
