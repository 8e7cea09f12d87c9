package dev.almanac.behaviour.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What a service gets that imports almanac-bom. */
class BillOfMaterialsTest {
    private static Element project(String file) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Sources.root().resolve(file).toFile())
                .getDocumentElement();
    }

    private static List<Element> all(Element within, String name) {
        NodeList found = within.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements;
    }

    private static String text(Element within, String name) {
        return all(within, name).get(0).getTextContent().strip().replaceAll("\\s+", " ");
    }

    @Test
    @DisplayName("17.5: almanac-bom names the published modules and the Jackson that they need, and nothing else")
    void onlyOurs() throws Exception {
        Element bom = project("bom/pom.xml");
        assertThat(all(bom, "parent"))
                .as("a parent would bring all that it manages")
                .isEmpty();
        assertThat(all(bom, "dependency"))
                .extracting(module ->
                        text(module, "groupId") + ":" + text(module, "artifactId") + ":" + text(module, "version"))
                .containsExactlyInAnyOrderElementsOf(published());
        assertThat(text(bom, "jackson.version")).isEqualTo(text(project("pom.xml"), "jackson.version"));
    }

    private static List<String> published() {
        Matcher modules = Pattern.compile("PUBLISHED_MODULES=\"(.*)\"")
                .matcher(Sources.text(Sources.root().resolve("build")));
        assertThat(modules.find()).isTrue();
        List<String> managed = new ArrayList<>(List.of("tools.jackson:jackson-bom:${jackson.version}"));
        Arrays.stream(modules.group(1).split(","))
                .map(module -> "dev.almanac:almanac-" + module + ":${project.version}")
                .forEach(managed::add);
        return managed;
    }

    @Test
    @DisplayName(
            "13.4: almanac-bom has version, licence, people and addresses of the others, all that Maven Central asks for")
    void alike() throws Exception {
        Element bom = project("bom/pom.xml");
        Element parent = project("pom.xml");
        for (String name : List.of("groupId", "version", "url", "licenses", "developers", "scm")) {
            assertThat(text(bom, name)).as(name).isEqualTo(text(parent, name)).isNotEmpty();
        }
    }
}
