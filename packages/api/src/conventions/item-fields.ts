import { z } from "zod";

/** A moment in what is answered: ISO 8601, UTC, milliseconds. */
export const timestamp = z.string().meta({ format: "date-time" });

/** The id of something that was made here. Tasks that were imported and keys have ids of other kinds. */
export const uuid = z.string().meta({ format: "uuid" });

/** An e-mail address, which may have letters of any script. */
export const emailAddress = z.string().meta({ format: "idn-email" });
