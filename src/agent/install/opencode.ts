// cst-managed: opencode
// Tells cst of each tool before and after it runs, and adds what cst has to say of an edit to the tool's output.
import { spawn } from "node:child_process"

const program = "$CST"
const patience = 5000

// What cst prints; nothing on any trouble, since a plugin that throws fails the tool.
function ask(moment: string, event: unknown, directory: string): Promise<string> {
  return new Promise((resolve) => {
    try {
      const child = spawn(program, ["hook", "opencode", moment], {
        cwd: directory,
        stdio: ["pipe", "pipe", "ignore"],
        windowsHide: true,
      })
      // A process of its own that holds the output open mustn't hold OpenCode.
      const timer = setTimeout(() => {
        child.kill("SIGKILL")
        child.stdout.destroy()
        resolve("")
      }, patience)
      let said = ""
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (text: string) => (said += text))
      child.stdout.on("error", () => resolve(""))
      child.stdin.on("error", () => {})
      child.on("error", () => {
        clearTimeout(timer)
        resolve("")
      })
      child.on("close", () => {
        clearTimeout(timer)
        resolve(said)
      })
      child.stdin.end(JSON.stringify(event))
    } catch {
      resolve("")
    }
  })
}

export const Cst = async ({ directory }: { directory: string }) => {
  // What a tool was called with; not every version says it again afterwards.
  const calls = new Map<string, unknown>()
  return {
    "tool.execute.before": async (input: any, output: any) => {
      try {
        const { tool, sessionID, callID } = input
        const args = output?.args
        calls.set(callID, args)
        await ask("pre", { tool, sessionID, callID, args, cwd: directory }, directory)
      } catch {}
    },
    "tool.execute.after": async (input: any, output: any) => {
      try {
        const { tool, sessionID, callID } = input
        const args = input.args ?? calls.get(callID)
        calls.delete(callID)
        const metadata = output?.metadata
        const said = await ask("post", { tool, sessionID, callID, args, metadata, cwd: directory }, directory)
        if (said.trim() && typeof output?.output === "string") {
          output.output += `\n\n${said.trimEnd()}`
        }
      } catch {}
    },
  }
}
