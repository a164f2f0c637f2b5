package dev.parley.app;

import dev.parley.agents.Agents;
import dev.parley.limits.Limits;
import dev.parley.log.MessageFinder;
import dev.parley.log.RevisionReader;
import dev.parley.nodes.WorkIntake;
import dev.parley.threads.DisplayNames;
import dev.parley.threads.Messages;
import dev.parley.threads.Participants;
import dev.parley.threads.Revisions;
import dev.parley.threads.ThreadAccess;
import dev.parley.threads.Threads;

/** Threads, their messages, and the revisions of messages. */
record ThreadServices(
        ThreadDirectory directory,
        Threads threads,
        ThreadAccess access,
        Participants participants,
        Messages messages,
        Revisions revisions) {
    static ThreadServices open(
            Foundation base, LogServices logs, DisplayNames names, Agents agents, WorkIntake intake) {
        Limits limits = base.limits();
        ThreadDirectory directory = new ThreadDirectory(names, agents);
        ThreadAccess access = new ThreadAccess(base.database());
        Participants participants =
                new Participants(access, logs.log(), directory, limits.threads().participants());
        Threads threads =
                new Threads(base.database(), logs.log(), access, participants, limits.threads(), base.clock());
        Messages messages = new Messages(
                logs.log(),
                logs.reader(),
                logs.pages(),
                new RevisionReader(base.database()),
                new MessageFinder(base.database(), limits.threads().filterScan()),
                access,
                intake,
                limits);
        Revisions revisions = new Revisions(
                logs.log(), logs.reader(), messages, access, limits.requests().opaqueId());
        return new ThreadServices(directory, threads, access, participants, messages, revisions);
    }
}
