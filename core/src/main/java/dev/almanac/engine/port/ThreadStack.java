package dev.almanac.engine.port;

/** The stack of a thread as text of bounded size. */
public final class ThreadStack {
    private static final int MOST_FRAMES = 40;
    private static final int LONGEST = 4_000;

    private ThreadStack() {}

    /** The thread's name; its number for one without a name, as virtual threads are. */
    public static String name(Thread thread) {
        String name = thread.getName();
        return name.isEmpty() ? "#" + thread.getId() : name;
    }

    /** Innermost frame first; empty for a thread that has ended. */
    public static String of(Thread thread) {
        StackTraceElement[] frames = thread.getStackTrace();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(frames.length, MOST_FRAMES) && text.length() < LONGEST; i++) {
            text.append("at ").append(frames[i]).append('\n');
        }
        if (frames.length > MOST_FRAMES) {
            text.append("… ").append(frames.length - MOST_FRAMES).append(" more frames\n");
        }
        return text.length() <= LONGEST ? text.toString() : text.substring(0, LONGEST - 1) + "…";
    }
}
