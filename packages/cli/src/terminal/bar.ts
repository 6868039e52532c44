const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar of a width that is filled to a share between 0 and 1. */
export function bar(share: number, width: number): string {
  const filled = Math.max(0, Math.min(1, share)) * width;
  const whole = Math.floor(filled);
  const part = eighths[Math.floor((filled - whole) * 8)] ?? "";
  return `${"█".repeat(whole)}${part}${"░".repeat(Math.max(0, width - whole - (part === "" ? 0 : 1)))}`;
}
