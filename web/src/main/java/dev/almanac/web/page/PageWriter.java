package dev.almanac.web.page;

import dev.almanac.web.guard.Refusal;
import dev.almanac.web.text.VisibleText;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.html.HtmlTemplateOutput;
import gg.jte.html.OwaspHtmlTemplateOutput;
import gg.jte.output.StringOutput;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Renders pages by their templates. Thread-safe. */
public final class PageWriter {
    /** Unless it is declined by a weight of zero. */
    private static final Pattern GZIP = Pattern.compile("(?i)(^|[ ,])gzip *(,|$|; *q=(1|0?\\.0*[1-9]))");

    private static final String JSON = "application/json;charset=utf-8";
    private static final String HTML = "text/html;charset=utf-8";

    private final TemplateEngine engine = TemplateEngine.createPrecompiled(
            null, ContentType.Html, PageWriter.class.getClassLoader(), "dev.almanac.web.page");

    /** Sends a page. */
    public void print(HttpServletRequest request, HttpServletResponse response, PageResponse reply) throws IOException {
        PageResponse.Download file = reply.file();
        if (file != null) {
            response.setHeader("Content-Disposition", "attachment; filename=\"" + file.name() + "\"");
            send(request, response, reply.status(), JSON, file.json());
        } else if (reply.template() != null) {
            String page = written(reply.template(), reply.values());
            boolean refresh = PageRequest.Address.of(request).refresh();
            String sent = refresh ? PageParts.without(request.getHeader(PageParts.HEADER), page) : page;
            send(request, response, reply.status(), HTML, sent);
        }
    }

    /** Sends JSON to a program. */
    public void print(HttpServletRequest request, HttpServletResponse response, int status, String json)
            throws IOException {
        send(request, response, status, JSON, json);
    }

    /**
     * Sends the reason of a refusal; a page that asks for a token leads back to the page that was asked for.
     *
     * @param setup of the pages, which a viewer who was let in can go to; absent for strangers
     */
    public void refuse(HttpServletResponse response, HttpServletRequest request, Refusal refusal, @Nullable Setup setup)
            throws IOException {
        PageRequest.Address address = PageRequest.Address.of(request);
        String next = address.form() || address.path().startsWith("/sign")
                ? "/"
                : address.path() + (address.query() == null ? "" : "?" + address.query());
        send(
                request,
                response,
                refusal.status(),
                HTML,
                written(
                        "refused.jte",
                        Map.of(
                                "base",
                                address.base(),
                                "refusal",
                                refusal,
                                "next",
                                ReturnAddress.safe(next),
                                "entries",
                                setup == null ? List.of() : Frame.entries(setup.metrics() != null))));
    }

    String written(String template, Map<String, Object> values) {
        StringOutput text = new StringOutput(32_768);
        engine.render(template, values, new VisibleOutput(new OwaspHtmlTemplateOutput(text)));
        return text.toString();
    }

    private static void send(
            HttpServletRequest request, HttpServletResponse response, int status, String type, String page)
            throws IOException {
        byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
        response.addHeader("Vary", "Accept-Encoding");
        if (GZIP.matcher(String.valueOf(request.getHeader("Accept-Encoding"))).find()) {
            response.setHeader("Content-Encoding", "gzip");
            bytes = compressed(bytes);
        }
        response.setStatus(status);
        response.setContentType(type);
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    private static byte[] compressed(byte[] bytes) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(all)) {
            gzip.write(bytes);
        }
        return all.toByteArray();
    }

    /**
     * Makes invisible characters of texts visible, then escapes them for their place in HTML. The values of forms come
     * back as they were sent, so they stay as they are. For one page.
     */
    private static final class VisibleOutput implements HtmlTemplateOutput {
        private final HtmlTemplateOutput out;
        private boolean inValue;

        VisibleOutput(HtmlTemplateOutput out) {
            this.out = out;
        }

        @Override
        public void setContext(@Nullable String tagName, @Nullable String attributeName) {
            inValue = attributeName == null ? "textarea".equals(tagName) : attributeName.equals("value");
            out.setContext(tagName, attributeName);
        }

        @Override
        public void writeUserContent(@Nullable String value) {
            out.writeUserContent(value == null || inValue ? value : VisibleText.of(value));
        }

        @Override
        public void writeContent(String value) {
            out.writeContent(value);
        }

        @Override
        public void writeContent(String value, int beginIndex, int endIndex) {
            out.writeContent(value, beginIndex, endIndex);
        }

        @Override
        public void writeBinaryContent(byte[] value) {
            out.writeBinaryContent(value);
        }
    }
}
