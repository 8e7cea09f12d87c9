package dev.almanac.examples.web;

import dev.almanac.web.Applications;
import dev.almanac.web.ConsoleAccess;
import dev.almanac.web.Viewer;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * Who may see the console: users that the service has authenticated by its own login. Operators see and change
 * everything, the team of the ledger sees and changes its own jobs, others see all jobs without their payloads.
 */
final class StaffAccess implements ConsoleAccess {
    // snippet: staff-access
    @Override
    public Optional<Viewer> viewer(HttpServletRequest request) {
        String user = request.getRemoteUser();
        if (user == null) {
            return Optional.empty();
        }
        if (request.isUserInRole("operator")) {
            return Optional.of(Viewer.operator(user));
        }
        Applications ledger = Applications.of("ledger");
        return Optional.of(
                request.isUserInRole("ledger")
                        ? new Viewer(user, ledger, ledger, ledger, ledger)
                        : Viewer.reader(user));
    }
    // end
}
