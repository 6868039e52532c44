import { createContext } from "react";

/** True if a part stands inside the shell, which has the landmarks of a page and says what is wrong with the connection. */
export const InShell = createContext(false);
